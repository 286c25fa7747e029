"""Documents into a source: all of them or none, one import at a time."""

from datetime import timedelta

import pytest
from django.utils import timezone

from knowledge.index_files import folder_of
from knowledge.models import Document, KnowledgeSource
from knowledge.search import search
from knowledge.writing import SourceBusyError, writing_into
from tests.knowledge.sources import make_source, new_document

pytestmark = pytest.mark.django_db


def long_ago():
    return timezone.now() - timedelta(hours=1)


def test_what_is_being_written_is_not_visible():
    with writing_into("insects") as writer:
        writer.write([new_document("Bee", "Bees dance.")])

        assert not Document.objects.visible().exists()
        assert not KnowledgeSource.objects.visible().exists()
    assert Document.objects.visible().get().title == "Bee"


def test_of_an_import_that_fails_nothing_is_left():
    with pytest.raises(ZeroDivisionError), writing_into("insects") as writer:
        writer.write([new_document("Bee", "Bees dance.")])
        raise ZeroDivisionError

    assert not KnowledgeSource.objects.exists()


def test_an_import_that_fails_leaves_the_source_as_it_was():
    before = make_source(Ant="Ants march.")
    with pytest.raises(ZeroDivisionError), writing_into("insects") as writer:
        writer.write([new_document("Bee", "Bees dance.")])
        raise ZeroDivisionError

    after = KnowledgeSource.objects.get()
    assert (after.revision, after.edition, after.writer) == (before.revision, before.edition, "")
    assert [document.title for document in Document.objects.all()] == ["Ant"]


def test_a_source_is_written_into_by_one_at_a_time():
    with writing_into("insects"), pytest.raises(SourceBusyError), writing_into("insects"):
        pass


def test_an_import_that_was_killed_is_cleared_away_by_the_next():
    killed = KnowledgeSource.objects.create(name="insects", writer="killed", beat_at=long_ago())
    Document.objects.create(source=killed, key="Bee", title="Bee", text="Bees.", revision=1, content_hash="0" * 64)

    source = make_source(Ant="Ants march.")

    assert [document.title for document in Document.objects.visible()] == ["Ant"]
    assert source.revision == 1


def test_one_that_stood_still_and_lives_after_all_is_told_and_changes_nothing():
    with pytest.raises(SourceBusyError), writing_into("insects") as writer:
        writer.write([new_document("Bee", "Bees dance.")])
        KnowledgeSource.objects.update(beat_at=long_ago())
        source = make_source(Ant="Ants march.")
        writer.write([new_document("Wasp", "Wasps rest.")])

    assert [document.title for document in Document.objects.all()] == ["Ant"]
    assert [hit.text for hit in search(source, "ants bees wasps", 5)] == ["Ants march."]


def test_nothing_new_keeps_the_edition():
    before = make_source(Ant="Ants march.")
    with writing_into("insects"):
        pass

    after = KnowledgeSource.objects.get()
    assert (after.edition, after.writer) == (before.edition, "")
    assert folder_of(after, after.edition).is_dir()
