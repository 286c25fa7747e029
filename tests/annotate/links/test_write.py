"""Links get the page they name, and their quotes are looked up in it."""

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from annotate.adjudication.decide import decide
from annotate.judgements.judgement import CitedReference
from annotate.links import quotes
from annotate.links.quotes import fold
from annotate.links.write import request_again, request_missing, write_links
from annotate.models import Label, ReferenceLink
from jobs.work import work_on
from knowledge.fetching.snapshot_job import SnapshotJob
from knowledge.models import Snapshot
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.links.pages import TEXT, cite, dead, frozen
from tests.factories import make_dataset, make_person, make_response
from tests.knowledge.fetching.server import web_server
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db


@pytest.fixture
def label() -> Label:
    """Ada's judgement of a segment."""
    response = make_response(make_dataset())
    judge(make_task(response, wants=1), "ada", dict.fromkeys(response.segments.all(), "supported"))
    return Label.objects.order_by("pk")[0]


def written(label: Label, url: str = "", **columns: object) -> ReferenceLink:
    write_links([ReferenceLink(label=label, position=0, url=url or None, **columns)])
    return label.references.get()


def test_a_new_link_has_its_page_asked_for(label: Label) -> None:
    link = written(label, "https://new.example/a#part")
    assert link.snapshot is not None
    assert (link.snapshot.url, link.snapshot.state) == ("https://new.example/a", Snapshot.State.WAITING)


def test_a_page_that_is_frozen_is_looked_into_at_once(label: Label) -> None:
    page = frozen()
    link = written(label, page.url, quote="wrote the first program")
    assert (link.snapshot, link.quote_found) == (page, True)


def test_a_quote_that_is_not_there_is_told(label: Label) -> None:
    assert written(label, frozen().url, quote="wrote the last program").quote_found is False


def test_a_quote_of_a_document_is_looked_up_in_the_document(label: Label) -> None:
    document = make_source(Ada=TEXT).documents.get()
    assert written(label, document=document, quote="born in 1815").quote_found is True


def test_a_page_is_gone_through_once_for_all_its_quotes(label: Label, monkeypatch: pytest.MonkeyPatch) -> None:
    gone_through: list[str] = []
    monkeypatch.setattr(quotes, "fold", lambda text: gone_through.append(text) or fold(text))
    page = frozen()
    texts = ["wrote  the first program", "born  in 1815", "wrote the last program"]
    write_links(ReferenceLink(label=label, position=at, url=page.url, quote=quote) for at, quote in enumerate(texts))
    assert list(label.references.order_by("position").values_list("quote_found", flat=True)) == [True, True, False]
    assert gone_through.count(TEXT) == 1


def test_without_a_quote_or_a_page_nothing_is_said(label: Label) -> None:
    assert written(label, frozen().url).quote_found is None
    assert written(make_label("ben"), "Smith 1999, p. 3", quote="born").quote_found is None


def make_label(name: str) -> Label:
    response = make_response(make_dataset(name))
    judge(make_task(response, wants=1), name, {response.segments.all()[0]: "supported"})
    return Label.objects.get(assignment__annotator__username=name)


def test_a_link_is_not_led_to_a_page_of_another_address(label: Label) -> None:
    """Whoever writes another snapshot's number into a draft does not get to read that."""
    other = frozen("https://other.example/")
    link = written(label, "https://own.example/", snapshot_id=other.pk, quote="Ada")
    assert link.snapshot is not None
    assert (link.snapshot.url, link.quote_found) == ("https://own.example/", None)


def test_a_snapshot_that_never_was_is_no_trouble(label: Label) -> None:
    link = written(label, frozen().url, snapshot_id=987654)
    assert link.snapshot is not None


def test_the_page_that_was_quoted_from_is_kept_though_there_is_a_newer_one(label: Label) -> None:
    quoted = frozen(text="as it was")
    frozen(text="as it is")
    link = written(label, quoted.url, snapshot_id=quoted.pk, quote="as it was")
    assert (link.snapshot, link.quote_found) == (quoted, True)


def test_quotes_are_looked_up_once_their_page_is_frozen(label: Label, settings: Settings) -> None:
    with web_server() as web:
        settings.SNAPSHOT_ALLOW = web.limits.allowed
        url = web.serve("/", f"<p>{TEXT}")
        link = written(label, url, quote="wrote the  first program")
        assert (link.quote_found, link.snapshot_id) == (None, Snapshot.objects.get().pk)
        work_on(SnapshotJob(), Snapshot.objects.get().pk)
    link.refresh_from_db()
    assert link.quote_found is True


def test_gold_takes_the_page_along(label: Label) -> None:
    page = frozen()
    dora = make_person("dora")
    reference = CitedReference(page.url, "born in 1815", "supports", snapshot=page.pk)
    gold = decide((label.segment_id, None), dora, "supported", references=[reference], why="It says so.")
    link = gold.references.get()
    assert (link.snapshot, link.quote_found) == (page, True)


def test_links_of_old_are_asked_for_together(label: Label) -> None:
    for position, url in enumerate(("https://a.example/", "https://b.example/", "no address")):
        ReferenceLink.objects.create(label=label, position=position, url=url)
    assert request_missing(label.references.all()) == 2
    assert Snapshot.objects.count() == 2
    assert request_missing(label.references.all()) == 0


def test_fetching_again_gives_dead_links_another_chance(
    label: Label, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    gone, proof = dead(), frozen("https://gone.example/")
    dead_link, proven = cite(label, gone, "quote"), cite(label, proof, "Ada", found=True)
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        new = request_again(gone)
    assert len(callbacks) == 1
    dead_link.refresh_from_db()
    proven.refresh_from_db()
    assert (dead_link.snapshot, proven.snapshot) == (new, proof)
    new.refresh_from_db()
    assert new.enqueued_at is not None
