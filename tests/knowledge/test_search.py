"""Searching a source."""

import shutil
from pathlib import Path

import pytest
from django.conf import settings

from knowledge.index_files import build_index, folder_of, index_of
from knowledge.models import Document, KnowledgeSource
from knowledge.search import search
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db


def texts(hits):
    return [hit.text for hit in hits]


@pytest.fixture
def insects():
    return make_source(
        Bee="Bees dance. They fly far.", Ant="Ants march. Ants never dance with bees.", Wasp="Wasps rest."
    )


def test_the_best_passages_come_first_with_their_documents(insects):
    hits = search(insects, "Do bees dance?", 2)

    assert [(hit.document.title, hit.text) for hit in hits] == [
        ("Bee", "Bees dance."),
        ("Ant", "Ants never dance with bees."),
    ]


def test_the_words_looked_for_are_marked(insects):
    hit = search(insects, "a wasp, or wasps", 1)[0]

    assert [(piece.text, piece.match) for piece in hit.pieces] == [("Wasps", True), (" rest.", False)]


def test_the_page_of_the_topic_comes_first_though_others_match_better(insects):
    hits = search(insects, "dance", 2, topic=" WASP ")

    assert texts(hits) == ["Wasps rest.", "Bees dance.", "Ants never dance with bees."]
    assert [hit.of_topic for hit in hits] == [True, False, False]


def test_the_page_of_the_topic_is_ordered_by_the_query(insects):
    assert texts(search(insects, "dance", 1, topic="Ant")) == ["Ants never dance with bees.", "Bees dance."]


def test_without_words_the_page_of_the_topic_is_read_from_its_beginning(insects):
    assert texts(search(insects, "", 5, topic="Bee")) == ["Bees dance.", "They fly far."]


def test_a_topic_without_a_page_changes_nothing(insects):
    assert search(insects, "bees", 3, topic="Beetle") == search(insects, "bees", 3)


def test_a_source_finds_nothing_of_another(insects):
    make_source("birds", Owl="Owls watch bees.")

    assert "Owls watch bees." not in texts(search(insects, "owls watch bees", 9))


def test_documents_that_come_later_are_found(insects):
    make_source("insects", Beetle="Beetles dig.")

    assert texts(search(insects, "beetles", 3)) == ["Beetles dig."]


def test_a_document_that_was_deleted_is_found_no_more(insects):
    Document.objects.filter(title="Bee").delete()

    assert texts(search(insects, "bees", 3)) == ["Ants never dance with bees."]


def test_an_index_that_was_lost_is_made_anew(insects):
    search(insects, "bees", 3)
    shutil.rmtree(folder_of(insects, insects.edition))

    assert texts(search(insects, "wasps", 3)) == ["Wasps rest."]
    assert folder_of(insects, insects.edition).is_dir()


def test_only_the_files_of_the_present_edition_are_kept(insects):
    source = make_source("insects", Beetle="Beetles dig.")

    folder = Path(settings.DATA_DIR) / "knowledge" / str(source.pk)
    assert [each.name for each in folder.iterdir()] == [source.edition]


def test_the_index_lies_in_files_and_not_in_memory(insects):
    index = index_of(insects)

    assert type(index.words).__name__ == type(index.weights.scores["data"]).__name__ == "memmap"


def test_an_offset_counts_characters_of_any_kind():
    source = make_source("signs", Bee="🐝🐝 dance. Çok güzel arı.")

    assert texts(search(source, "arı", 1)) == ["Çok güzel arı."]


def test_a_source_knows_how_many_imports_it_had(insects):
    make_source("insects", Beetle="Beetles dig.")

    assert KnowledgeSource.objects.visible().get().revision == 2


def test_two_that_build_one_edition_leave_one(insects):
    build_index(insects, insects.edition, insects.revision)

    folder = folder_of(insects, insects.edition)
    assert [each.name for each in folder.parent.iterdir()] == [insects.edition]
    assert texts(search(insects, "wasps", 3)) == ["Wasps rest."]
