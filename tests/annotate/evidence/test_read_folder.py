"""A folder of files as documents."""

import pytest

from annotate.evidence.import_file import import_documents, read_rows
from core.errors import DataError
from knowledge.models import Document


def test_files_of_each_kind_become_documents(tmp_path):
    (tmp_path / "insects").mkdir()
    (tmp_path / "insects" / "honey_bee.txt").write_text("Bees dance.")
    (tmp_path / "ant.html").write_text("<title>The ant</title><p>Ants <b>march</b>.</p><script>x</script>")
    (tmp_path / ".hidden").write_text("?")

    assert [(row.key, row.title, row.text) for row in read_rows(tmp_path)] == [
        ("ant.html", "The ant", "Ants march."),
        ("insects/honey_bee.txt", "honey bee", "Bees dance."),
    ]


@pytest.mark.parametrize(
    ("name", "content", "cause"),
    [
        ("bee.png", b"?", r"bee\.png: of documents only these kinds are read: \.txt"),
        ("bee.pdf", b"no PDF", r"bee\.pdf: The PDF is damaged"),
        ("bee.txt", b" \n", r"bee\.txt: The page has no text"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, name, content, cause):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=cause):
        list(read_rows(tmp_path))


def test_a_folder_without_files_is_an_error(tmp_path):
    with pytest.raises(DataError, match="the folder has no file"):
        list(read_rows(tmp_path))


@pytest.mark.django_db
def test_the_same_folder_again_adds_nothing(tmp_path):
    (tmp_path / "bee.txt").write_text("Bees dance.")
    import_documents(tmp_path, "insects")

    assert import_documents(tmp_path, "insects").unchanged == 1
    assert Document.objects.get().key == "bee.txt"
