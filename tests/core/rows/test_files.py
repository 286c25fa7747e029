"""Rows from every form of file, and the limits of reading them."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import DataError, RowError
from core.rows import unpacking
from core.rows.files import open_rows

ROWS = [{"prompt": 'Why, "so"?', "response": "One.\nTwo; [three]"}, {"prompt": "Ämter", "response": "]{"}]


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(path: Path) -> list[tuple[int, object]]:
    return [(number, str(row) if isinstance(row, RowError) else row) for number, row in open_rows(path).rows]


@pytest.mark.parametrize("indent", [None, 2])
def test_rows_stand_under_a_key_of_one_object(tmp_path, monkeypatch, indent):
    whole = {"about": ["rows", {"rows": [1]}], "note": "rows", "rows": ROWS, "rest": {"a": 1}}
    path = write(tmp_path / "whole.json", json.dumps(whole, indent=indent))
    for size in (1, 2, 3, 7, 1024):
        monkeypatch.setattr("core.rows.json_array.CHUNK", size)
        assert list(open_rows(path, "rows").rows) == [(1, ROWS[0]), (2, ROWS[1])]
    with pytest.raises(DataError, match=r"whole.json: there is no list under the key 'note'\."):
        list(open_rows(path, "note").rows)


def test_an_array_has_no_key(tmp_path):
    path = write(tmp_path / "rows.json", json.dumps(ROWS))
    with pytest.raises(DataError, match=r"rows\.json is a JSON array, and no object with the key 'rows'"):
        list(open_rows(path, "rows").rows)


@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_array_is_read_object_by_object(tmp_path, indent):
    path = write(tmp_path / "rows.json", "\n " + json.dumps(ROWS, indent=indent) + "\n")
    assert read(path) == [(1, ROWS[0]), (2, ROWS[1])]
    assert open_rows(path).place == "row"


def test_an_array_is_read_across_the_borders_of_what_is_read_at_once(tmp_path, monkeypatch):
    path = write(tmp_path / "rows.json", json.dumps(ROWS))
    for size in range(1, 12):
        monkeypatch.setattr("core.rows.json_array.CHUNK", size)
        assert read(path) == [(1, ROWS[0]), (2, ROWS[1])]


def test_a_faulty_object_of_an_array_does_not_hide_the_next_one(tmp_path):
    path = write(tmp_path / "rows.json", '[{"a": }, 3, , {"b": 1}]')
    assert read(path) == [
        (1, "not JSON: Expecting value (character 7)"),
        (2, "a row must be a JSON object, not a number"),
        (3, "not JSON: Expecting value (character 3)"),
        (4, {"b": 1}),
    ]


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ('[{"a": 1}, {"b": 2', "row 2: the array has no end"),
        ('[{"a": 1}, {"b": "[', "row 2: the array has no end"),
        ('[{"a": 1}] {"b": 2}', "row 1: something stands behind the end of the array"),
        ("[ ]", "row 1: the file is empty"),
        ('["' + "x" * 11 * 1024**2 + '"]', "row 1: longer than 10 MB"),
    ],
)
def test_an_array_that_cannot_be_read_to_its_end_is_an_error(tmp_path, content, cause):
    with pytest.raises(DataError, match=f"rows.json, {cause}"):
        read(write(tmp_path / "rows.json", content))


def test_many_values_in_one_object_of_an_array_are_refused_before_they_take_memory(tmp_path):
    (row,) = read(write(tmp_path / "rows.json", '[{"a": [' + "0," * 300_000 + "0]}]"))
    assert row == (1, "more than 200,000 values")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", "^"])
def test_csv_is_read_with_the_separator_of_its_first_row(tmp_path, separator):
    path = write(
        tmp_path / "rows.csv", f'\ufeffprompt{separator}response\r\n"Why, so; ?\t"{separator}"One.\nTwo ""2"""\r\n'
    )
    assert read(path) == [(2, {"prompt": "Why, so; ?\t", "response": 'One.\nTwo "2"'})]


def test_rows_of_csv_are_numbered_as_in_a_spreadsheet(tmp_path):
    path = write(tmp_path / "rows.csv", 'a,b\n"1\n1",2\n\n3\n4,5\n')
    assert read(path) == [
        (2, {"a": "1\n1", "b": "2"}),
        (4, "1 cells, where the first row names 2 columns"),
        (5, {"a": "4", "b": "5"}),
    ]


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b'a,b\n1,"2" 3\n', "row 2: not CSV"),
        (b"a,a\n1,2\n", "row 1: the column 'a' stands twice"),
        (b"a,b\n", "row 1: the file is empty"),
        (b"", "row 1: the file is empty"),
        (b'a,b\n1,"' + b"x" * 11 * 1024**2, "(line|row) 2: longer than 10 MB"),
        (b'a,b\n1,"' + b"x\n" * 6 * 1024**2, "row 2: longer than 10 MB"),
        (b"a,b\n" + b"," * 300_000 + b"\n", "row 2: more than 200,000 cells"),
    ],
)
def test_csv_that_cannot_be_read_to_its_end_is_an_error(tmp_path, content, cause):
    with pytest.raises(DataError, match=f"rows.csv, {cause}"):
        read(write(tmp_path / "rows.csv", content))


def test_parquet_is_read_with_its_lists_and_objects(tmp_path):
    rows = [
        {"prompt": "Why?", "lists": ["a", "b"], "facts": [{"text": "c"}]},
        {"prompt": None, "lists": [], "facts": None},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "rows.parquet")
    assert read(tmp_path / "rows.parquet") == [(1, rows[0]), (2, rows[1])]


def test_parquet_is_told_by_its_content(tmp_path):
    pq.write_table(pa.table({"prompt": ["Why?"]}), tmp_path / "rows")
    assert read(tmp_path / "rows") == [(1, {"prompt": "Why?"})]


def test_what_is_no_parquet_is_an_error(tmp_path):
    with pytest.raises(DataError, match=r"rows\.parquet: it is no Parquet file"):
        read(write(tmp_path / "rows.parquet", b"PAR1" + bytes(100)))


def test_parquet_that_unpacks_to_more_than_the_memory_allowed_ends_its_own_process(tmp_path, monkeypatch):
    monkeypatch.setattr(unpacking, "MEMORY_BYTES", 600_000_000)
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 100, pa.int32()), pa.array(["x" * 300_000_000]))
    pq.write_table(pa.table({"prompt": text}), tmp_path / "rows.parquet")
    with pytest.raises(DataError, match=r"rows\.parquet: it is no Parquet file, is damaged, or takes too much memory"):
        read(tmp_path / "rows.parquet")


def test_a_reader_that_is_left_early_ends_its_process(tmp_path):
    pq.write_table(pa.table({"prompt": ["x" * 1000] * 5000}), tmp_path / "rows.parquet")
    rows = unpacking.read_parquet(tmp_path / "rows.parquet", [])
    assert next(rows)[0] == 1
    rows.close()


def test_rows_after_an_archive_are_not_listed_as_faults(tmp_path):
    path = write(tmp_path / "rows.jsonl", b"PK\x03\x04\nrubbish\nrubbish\n")
    assert read(path) == [(1, "this is a zip archive, not JSON lines")]


def test_a_folder_that_datasets_saved_is_read_in_its_order(tmp_path):
    from datasets import Dataset

    rows = [{"prompt": f"Question {number}", "labels": [True, None]} for number in range(20)]
    Dataset.from_list(rows).save_to_disk(tmp_path / "saved", num_shards=3)
    file = open_rows(tmp_path / "saved")
    assert (file.kind, file.place) == ("folder", "row")
    assert list(file.rows) == list(enumerate(rows, 1))


def test_one_split_of_a_saved_folder_must_be_named(tmp_path):
    from datasets import Dataset, DatasetDict

    one = Dataset.from_list([{"a": 1}])
    DatasetDict({"train": one, "test": one}).save_to_disk(tmp_path / "saved")
    with pytest.raises(DataError, match=r"saved has the splits test, train: name the folder of one of them\."):
        open_rows(tmp_path / "saved")
    assert list(open_rows(tmp_path / "saved" / "train").rows) == [(1, {"a": 1})]


def test_the_files_of_a_folder_are_numbered_through(tmp_path):
    folder = tmp_path / "data"
    (folder / ".cache").mkdir(parents=True)
    write(folder / ".cache" / "rows.jsonl", "{}")
    write(folder / "a.jsonl", '{"a": 1}\n\n{"a": 2}\n')
    write(folder / "b.jsonl", '{"a": }\n')
    assert read(folder) == [
        (1, {"a": 1}),
        (2, {"a": 2}),
        (3, "not JSON: Expecting value (character 7)"),
    ]


@pytest.mark.parametrize(
    ("names", "cause"),
    [
        ([], "the folder has no file of rows"),
        (["a.csv", "b.jsonl"], r"has files of several kinds \(.csv, .jsonl\): give those of one kind"),
        (["state.json"], "data/state.json does not name the files of the folder"),
    ],
)
def test_a_folder_without_files_of_one_kind_is_refused(tmp_path, names, cause):
    (tmp_path / "data").mkdir()
    for name in names:
        write(tmp_path / "data" / name, "{}\n")
    with pytest.raises(DataError, match=cause):
        open_rows(tmp_path / "data")


def test_a_saved_folder_reads_no_file_outside_of_it(tmp_path):
    write(tmp_path / "secret.arrow", "x")
    (tmp_path / "data").mkdir()
    write(tmp_path / "data" / "state.json", '{"_data_files": [{"filename": "../secret.arrow"}]}')
    with pytest.raises(DataError, match="names a file that is not in the folder"):
        open_rows(tmp_path / "data")


def test_a_damaged_arrow_file_is_an_error(tmp_path):
    path = write(tmp_path / "rows.arrow", b"no arrow")
    with pytest.raises(DataError, match="it is no Arrow file"):
        list(open_rows(path).rows)
