from zipfile import ZipFile

import pytest

from core.errors import DataError
from core.rows.files import open_rows
from core.rows.zipped import unzipped


def pack(path, **files):
    with ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def rows_of(path):
    with unzipped(path) as folder:
        return [row for _, row in open_rows(folder).rows]


def test_a_file_that_is_no_zip_is_given_as_it_is(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}')
    with unzipped(path) as given:
        assert given == path


def test_the_rows_of_a_packed_folder_are_read_and_then_gone(tmp_path):
    files = {"rows/a.jsonl": '{"a": 1}', "rows/b.jsonl": '{"a": 2}', "__MACOSX/rows/._a.jsonl": "x"}
    path = pack(tmp_path / "rows.zip", **files)
    assert rows_of(path) == [{"a": 1}, {"a": 2}]
    with unzipped(path) as folder:
        assert folder.name == "rows"
    assert not folder.exists()


def test_one_packed_file_is_read_as_it_would_be_alone(tmp_path):
    with unzipped(pack(tmp_path / "rows.ZIP", **{"rows.jsonl": '{"a": 1}'})) as path:
        assert open_rows(path).kind == "json-lines"


@pytest.mark.parametrize(
    ("files", "cause"),
    [
        ({"../rows.jsonl": "{}"}, "rows.zip: a file of it stands outside of its folder."),
        ({"/rows.jsonl": "{}"}, "rows.zip: a file of it stands outside of its folder."),
        ({"rows.jsonl": " " * 3_000_000}, "rows.zip: unpacked it would be far larger than it should be."),
        ({"a": "{}", "a/b": "{}"}, "rows.zip cannot be read:"),
        ({}, "rows.zip: the folder has no file of rows"),
    ],
)
def test_a_zip_that_is_not_sound_is_an_error(tmp_path, files, cause):
    path = tmp_path / "rows.zip"
    with ZipFile(path, "w", 8) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    with pytest.raises(DataError) as error:
        rows_of(path)
    assert str(error.value).startswith(cause)


def test_what_is_no_zip_is_an_error(tmp_path):
    path = tmp_path / "rows.zip"
    path.write_text("no zip")
    with pytest.raises(DataError, match=r"rows\.zip is no whole zip file"):
        rows_of(path)
