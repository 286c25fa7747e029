"""Evidence as it is looked up: by annotators beside their task, by reviewers, on the page of the source."""

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from threading import Event, Lock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotate.evidence.document_upload_job import DocumentUploadJob
from annotate.evidence.tokenizers import TOKENIZERS
from annotate.models import Assignment, DocumentUpload, ReferenceLink, Role, SourceOwner
from jobs.enqueue import sweep
from jobs.leases import lease_items
from jobs.work import work_on
from knowledge.models import Document, KnowledgeSource
from tests.annotate.adjudication.work import make_task
from tests.factories import make_dataset, make_person, make_response, own_source
from tests.knowledge.sources import make_source
from tests.pages import squeezed
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return make_dataset()


@pytest.fixture
def response(dataset):
    return make_response(dataset, ["Bees dance."], prompt="Bee")


@pytest.fixture
def own(dataset, response):
    return Assignment.objects.create(
        task=make_task(response), annotator=make_person("ada", dataset), place=0, state="open",
        lease_until=timezone.now(),
    )  # fmt: skip


@pytest.fixture
def source(dataset):
    source = make_source(Bee="They fly far.", Ant="Ants <never> dance with bees.")
    own_source(dataset, source)
    return source


@pytest.fixture
def as_ada(client, own):
    client.force_login(own.annotator)
    return client


@pytest.fixture
def as_dora(client, dataset):
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    return client


def ask(client, name, *about, htmx=False, **query):
    headers = {"HX-Request": "true"} if htmx else {}
    return client.get(reverse(name, args=about), query, headers=headers)


def text_of(answer):
    return squeezed(answer.content.decode())


def rows(*documents):
    lines = "".join(json.dumps(document) + "\n" for document in documents)
    return SimpleUploadedFile("pages.jsonl", lines.encode())


def test_the_topics_page_comes_first_and_matches_are_marked(as_ada, own, source):
    page = text_of(ask(as_ada, "evidence", own.key, q="dance"))

    assert page.index("They fly far.") < page.index("Ants &lt;never&gt; <mark>dance</mark> with bees.")


def test_the_panel_gets_the_results_alone(as_ada, own, source):
    part = text_of(ask(as_ada, "evidence", own.key, q="dance", htmx=True))

    assert "<html" not in part
    assert f'data-document="{Document.objects.get(title="Ant").pk}"' in part


def test_without_a_source_the_texts_that_came_along_are_searched(as_ada, own, response):
    ReferenceLink.objects.create(response=response, position=0, url="https://bee.example", content="A bee can dance.")
    ReferenceLink.objects.create(response=response, position=1, url="https://ant.example", content="Ants march.")
    page = text_of(ask(as_ada, "evidence", own.key, q="dance"))

    assert "A bee can <mark>dance</mark>." in page
    assert 'data-url="https://bee.example"' in page
    assert "Ants march." not in page


def test_where_nothing_is_found_it_says_what_to_do(as_ada, own, source):
    Document.objects.filter(title="Bee").delete()

    assert "Try other words" in text_of(ask(as_ada, "evidence", own.key, q="xylophone"))


def test_a_search_costs_few_queries(as_ada, own, source, django_assert_max_num_queries):
    with django_assert_max_num_queries(14):
        ask(as_ada, "evidence", own.key, q="dance", htmx=True)


def test_reviewers_search_for_a_response(as_dora, response, source):
    assert "They fly far." in text_of(ask(as_dora, "response-evidence", response.pk, q="bee"))


def test_a_document_is_read_whole_with_its_passages_anchored(as_ada, own, dataset, source):
    document = Document.objects.get(title="Ant")
    page = text_of(ask(as_ada, "document", dataset.pk, document.pk, q="dance"))

    assert 'id="passage-0"' in page
    assert "Ants &lt;never&gt; <mark>dance</mark> with bees." in page


def test_a_document_of_another_source_is_not_there(as_ada, own, dataset, source):
    document = make_source("birds", Owl="Owls watch.").documents.get()

    assert ask(as_ada, "document", dataset.pk, document.pk).status_code == 404


def test_without_a_source_the_page_says_what_to_do(as_dora, dataset):
    assert "No knowledge source yet" in text_of(ask(as_dora, "knowledge", dataset.pk))


def test_the_page_says_what_the_source_holds(as_dora, dataset, source):
    page = text_of(ask(as_dora, "knowledge", dataset.pk))

    assert "<dt>Documents</dt><dd>2</dd>" in page
    assert ">Ant</a>" in page


def test_a_search_of_the_source_builds_the_findings_alone(as_dora, dataset, source):
    with CaptureQueriesContext(connection) as queries:
        part = text_of(ask(as_dora, "knowledge", dataset.pk, q="dance", htmx=True))

    assert "<mark>dance</mark>" in part
    assert "<html" not in part
    assert not [query for query in queries.captured_queries if "COUNT(" in query["sql"]]


def bring(client, dataset, file, name="insects", tokenizer="", **more):
    sent = {"file": file, "name": name, "tokenizer": tokenizer, **more}
    return client.post(reverse("knowledge-upload", args=[dataset.pk]), sent)


def test_a_file_is_queued_and_a_worker_makes_the_source_of_it(as_dora, dataset):
    bring(as_dora, dataset, rows({"title": "Bee", "text": "Bees dance."}))
    assert not KnowledgeSource.objects.exists()
    assert "Waiting for a worker" in text_of(ask(as_dora, "knowledge", dataset.pk))

    work_on(DocumentUploadJob(), DocumentUpload.objects.get().pk)

    dataset.refresh_from_db()
    assert dataset.knowledge_source.documents.visible().get().title == "Bee"
    assert "1 new document, 0 were already stored" in text_of(ask(as_dora, "knowledge", dataset.pk))


def test_an_error_in_a_file_is_said_and_nothing_is_kept(as_dora, dataset):
    bring(as_dora, dataset, rows({"title": "Bee", "text": "Bees dance."}, {"title": "Ant"}))
    path = Path(DocumentUpload.objects.get().file.path)
    work_on(DocumentUploadJob(), DocumentUpload.objects.get().pk)

    page = text_of(ask(as_dora, "knowledge", dataset.pk))
    assert "pages.jsonl, line 2: the key &#x27;text&#x27; is missing" in page
    assert not KnowledgeSource.objects.exists()
    assert not path.parent.exists()


def test_a_file_is_imported_once(as_dora, dataset):
    bring(as_dora, dataset, rows({"title": "Bee", "text": "Bees dance."}))
    upload = DocumentUpload.objects.get()
    work_on(DocumentUploadJob(), upload.pk)
    work_on(DocumentUploadJob(), upload.pk)

    assert KnowledgeSource.objects.get().revision == 1


def test_where_another_import_has_the_source_the_file_waits(as_dora, dataset, source):
    KnowledgeSource.objects.update(writer="somebody", beat_at="2999-01-01T00:00Z")
    bring(as_dora, dataset, rows({"title": "Wasp", "text": "Wasps rest."}))
    work_on(DocumentUploadJob(), DocumentUpload.objects.get().pk)

    upload = DocumentUpload.objects.get()
    assert (upload.state, upload.attempts, upload.not_before > timezone.now()) == ("waiting", 0, True)


def test_an_import_that_breaks_off_has_failed(as_dora, dataset, monkeypatch, caplog):
    monkeypatch.setitem(TOKENIZERS, "words", lambda text: 1 / 0)
    bring(as_dora, dataset, rows({"title": "Bee", "text": "Bees dance."}), tokenizer="words")
    upload = DocumentUpload.objects.get()
    work_on(DocumentUploadJob(), upload.pk)

    upload.refresh_from_db()
    reason = "Something went wrong on the server, and its log says what (ZeroDivisionError)."
    assert (upload.state, upload.error) == ("failed", reason)
    assert "ZeroDivisionError" in caplog.text
    assert not KnowledgeSource.objects.exists()


def test_an_import_that_the_database_ends_is_taken_up_again(as_dora, dataset, monkeypatch):
    def fail(text):
        raise OperationalError("database is locked")

    monkeypatch.setitem(TOKENIZERS, "words", fail)
    bring(as_dora, dataset, rows({"title": "Bee", "text": "Bees dance."}), tokenizer="words")
    with pytest.raises(OperationalError):
        work_on(DocumentUploadJob(), DocumentUpload.objects.get().pk)

    assert DocumentUpload.objects.get().state == "waiting"


class Over(Event):
    """What a thread that beats waits on: it beats where nobody has the turn. The tests' SQLite, which is in memory,
    makes nobody wait for another's writing."""

    def __init__(self, turn):
        super().__init__()
        self.turn = turn
        self.beats = 0
        self.beating = False

    def wait(self, seconds):
        self.seconds = seconds
        if self.beating:
            self.turn.release()
        while not super().wait(0.01):
            if self.turn.acquire(blocking=False):
                self.beating = True
                self.beats += 1
                return False
        return True


@pytest.mark.django_db(transaction=True)
def test_an_import_beats_while_one_step_takes_long(as_dora, dataset, monkeypatch, settings):
    turn, threads = Lock(), []
    monkeypatch.setattr("jobs.leases.Event", lambda: threads.append(Over(turn)) or threads[-1])
    bring(as_dora, dataset, rows({"title": "Bee", "text": "Bees dance."}), tokenizer="words")
    upload = DocumentUpload.objects.get()
    beaten = []

    def last_beats():
        return [DocumentUpload.objects.get().lease_until, KnowledgeSource.objects.get().beat_at]

    def take_long(text):
        begun = last_beats()
        turn.release()
        wait_until(lambda: all(thread.beats for thread in threads), "all beat")
        turn.acquire()
        beaten.extend(later > earlier for earlier, later in zip(begun, last_beats(), strict=True))
        return [(0, len(text))]

    monkeypatch.setitem(TOKENIZERS, "words", take_long)
    with turn:
        work_on(DocumentUploadJob(), upload.pk)

    upload.refresh_from_db()
    assert upload.state == "done"
    assert {thread.seconds for thread in threads} == {settings.RUN_LEASE_SECONDS / 4}
    assert beaten == [True, True]


def lose_worker() -> None:
    """As if a worker had leased the only upload long ago, and then been lost."""
    lease_items(DocumentUploadJob().waiting(DocumentUpload.objects.get().pk), "lost", 1, 3)
    past = timezone.now() - timedelta(hours=1)
    DocumentUpload.objects.update(lease_until=past, enqueued_at=past)


def test_an_upload_that_a_lost_worker_left_is_taken_up(as_dora, dataset):
    bring(as_dora, dataset, rows({"title": "Bee", "text": "Bees dance."}))
    lose_worker()
    assert "no worker is running" in text_of(ask(as_dora, "knowledge", dataset.pk))

    as_dora.post(reverse("knowledge-uploads", args=[dataset.pk]))
    assert DocumentUpload.objects.get().state == "waiting"


def test_every_beat_of_a_worker_takes_up_what_stands_still(as_dora, dataset):
    bring(as_dora, dataset, rows({"title": "Bee", "text": "Bees dance."}))
    assert sweep(DocumentUploadJob()) == []  # somebody may be at it

    lose_worker()
    assert (sweep(DocumentUploadJob()), sweep(DocumentUploadJob())) == ([DocumentUpload.objects.get().pk], [])
    work_on(DocumentUploadJob(), DocumentUpload.objects.get().pk)
    assert DocumentUpload.objects.get().state == "done"


def test_progress_is_asked_for_until_there_is_none(as_dora, dataset):
    bring(as_dora, dataset, rows({"title": "Bee", "text": "Bees dance."}))
    waiting = ask(as_dora, "knowledge-uploads", dataset.pk, htmx=True)
    work_on(DocumentUploadJob(), DocumentUpload.objects.get().pk)
    done = ask(as_dora, "knowledge-uploads", dataset.pk, htmx=True)

    assert "every 1s" in text_of(waiting)
    assert "HX-Refresh" not in waiting
    assert done["HX-Refresh"] == "true"


def test_the_pages_of_the_topics_come_from_a_dump_on_the_server(as_dora, dataset, response, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    (tmp_path / "dumps").mkdir()
    with closing(sqlite3.connect(tmp_path / "dumps" / "pages.db")) as dump:
        dump.execute("CREATE TABLE documents (title PRIMARY KEY, text)")
        dump.executemany("INSERT INTO documents VALUES (?, ?)", [("Bee", "Bees dance."), ("Ant", "Ants march.")])
        dump.commit()
    dataset.prompts.update(topic="Bee")
    sent = {"dump": "pages.db", "name": "insects", "topics_only": "on"}
    assert bring(as_dora, dataset, "", **sent | {"dump": "../secret.db"}).status_code == 422

    as_dora.post(reverse("knowledge-upload", args=[dataset.pk]), sent)
    work_on(DocumentUploadJob(), DocumentUpload.objects.get().pk)

    dataset.refresh_from_db()
    assert [document.title for document in dataset.knowledge_source.documents.visible()] == ["Bee"]
    assert "Only pages of topics were taken" in text_of(ask(as_dora, "knowledge", dataset.pk))
    assert (tmp_path / "dumps" / "pages.db").exists()


def test_a_dataset_without_topics_has_no_pages_to_look_for(as_dora, dataset):
    answer = bring(as_dora, dataset, rows({"title": "Bee", "text": "Bees dance."}), topics_only="on")

    assert "lab has no prompt with a topic" in text_of(answer)
    assert not DocumentUpload.objects.exists()


def test_a_file_that_is_too_large_goes_in_by_the_command(as_dora, dataset, settings):
    settings.UPLOAD_LIMIT_BYTES = 10
    answer = bring(as_dora, dataset, rows({"title": "Bee", "text": "Bees dance."}))

    assert answer.status_code == 422
    assert "by the command import_documents" in text_of(answer)


def test_the_source_of_anothers_dataset_is_not_added_to(as_dora, dataset, source):
    SourceOwner.objects.update(dataset=make_dataset("theirs"))
    answer = bring(as_dora, dataset, rows({"title": "Wasp", "text": "Wasps rest."}))

    assert answer.status_code == 422
    assert "is taken by a source that lab does not own" in text_of(answer)
    assert not DocumentUpload.objects.exists()


def test_a_source_that_is_there_can_be_chosen_and_let_go(as_dora, dataset):
    source = make_source("birds", Owl="Owls watch.")
    choose = reverse("knowledge-choose", args=[dataset.pk])

    as_dora.post(choose, {"source": "birds"})
    dataset.refresh_from_db()
    assert dataset.knowledge_source == source

    as_dora.post(choose, {"source": ""})
    dataset.refresh_from_db()
    assert dataset.knowledge_source is None


def test_an_unknown_source_is_refused(as_dora, dataset):
    assert as_dora.post(reverse("knowledge-choose", args=[dataset.pk]), {"source": "birds"}).status_code == 422
