"""A dump as FActScore publishes it."""

import sqlite3

import pytest

from annotate.evidence.import_file import import_documents
from annotate.evidence.read_dump import read_dump, unmark
from core.errors import DataError
from knowledge.models import Passage

PARTED = "####SPECIAL####SEPARATOR####"
BEE = f"<s>Bees dance.</s><s>They fly</s>{PARTED}<s>far and</s>"


@pytest.fixture
def make_dump(tmp_path):
    def make(*pages, table="documents(title PRIMARY KEY, text)"):
        path = tmp_path / "pages.db"
        with sqlite3.connect(path) as dump:
            dump.execute(f"CREATE TABLE {table}")
            dump.executemany(f"INSERT INTO {table.partition('(')[0]} VALUES (?, ?)", pages)
        return path

    return make


def passages(text):
    plain, cuts = unmark(text)
    return [plain[start:end] for start, end in cuts]


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("<s>Bees dance.</s><s>Ants march.</s>", "Bees dance. Ants march."),
        ("<s>Bees dance. </s><s> Ants march.</s>", "Bees dance.  Ants march."),
        (f"<s>Bees dance with</s>{PARTED}<s>ants.</s>", "Bees dance with ants."),
        (f"<s>Bees dance with{PARTED} their sisters.</s>", "Bees dance with their sisters."),
        (f"<s>Bees dan{PARTED}ce.</s>", "Bees dance."),
        (f"Bees dance.{PARTED}Ants march.", "Bees dance. Ants march."),
        ("Bees dance.", "Bees dance."),
        (PARTED, ""),
        ("<s></s>", ""),
    ],
)
def test_markers_leave_a_plain_text(marked, plain):
    assert unmark(marked)[0] == plain


def test_the_published_passages_are_kept_as_places_in_the_text():
    assert passages(f"<s>Bees dance.</s><s>They fly{PARTED} far.</s>{PARTED}") == ["Bees dance. They fly", "far."]


def test_each_page_is_a_document_whose_key_is_its_title(make_dump):
    rows = list(read_dump(make_dump(("Bee", BEE), ("Ant", "<s>Ants march.</s>"))))

    assert [(row.key, row.title, row.text) for row in rows] == [
        ("Bee", "Bee", "Bees dance. They fly far and"),
        ("Ant", "Ant", "Ants march."),
    ]


@pytest.mark.parametrize(
    ("page", "cause"),
    [
        ((None, "Text."), "page 2: title is empty"),
        (("Ant", 7), "page 2: text must be text, not a number"),
        (("Ant", b"\xff"), r"page 2: text is not UTF-8 text \(byte 1\)"),
        (("Ant", "a\0b"), "page 2: text holds a NUL character at character 2"),
    ],
)
def test_a_page_that_is_not_sound_is_named(make_dump, page, cause):
    with pytest.raises(DataError, match=f"pages.db, {cause}"):
        list(read_dump(make_dump(("Bee", BEE), page)))


def test_what_is_no_dump_is_told(tmp_path, make_dump):
    with pytest.raises(DataError, match=r"it has no table documents\(title, text\)"):
        list(read_dump(make_dump(("Bee", BEE), table="pages(name, body)")))
    (tmp_path / "other.db").write_text("These are not the pages you look for." * 100)
    with pytest.raises(DataError, match=r"other.db: it is not an SQLite database that can be read"):
        list(read_dump(tmp_path / "other.db"))


@pytest.mark.django_db
def test_pages_without_text_are_left_out_and_counted(make_dump):
    imported = import_documents(make_dump(("Bee", BEE), ("Void", "<s></s>"), ("None", None)), "insects")

    assert (imported.created, imported.unchanged, imported.blank) == (1, 0, 2)


@pytest.mark.django_db
def test_a_source_keeps_the_published_passages_if_it_is_told_to(make_dump):
    imported = import_documents(make_dump(("Bee", BEE)), "insects", tokenizer="published")

    text = "Bees dance. They fly far and"
    assert imported.source.tokenizer == "published"
    assert [text[each.start : each.end] for each in Passage.objects.all()] == ["Bees dance. They fly", "far and"]
