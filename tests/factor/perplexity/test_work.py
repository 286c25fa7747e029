"""A pass over a corpus, with a real model of random weights: lost, doubled and stopped work."""

import json
import math
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from factor.models import Perplexity
from factor.perplexity.perplexity_job import PerplexityJob
from factor.perplexity.progress import progress_of
from factor.perplexity.start import PerplexityRequest, start
from jobs.enqueue import sweep
from jobs.errors import StartError
from jobs.models import JobItem
from jobs.work import work_on, work_to_the_end
from knowledge.models import Document
from knowledge.writing import writing_into
from tests.factor.perplexity.tiny_gpt import nll_of
from tests.factor.perplexity.work import make_insects, make_model, make_perplexity
from tests.factories import make_dataset
from tests.knowledge.sources import make_source, new_document

pytestmark = pytest.mark.django_db
State = Perplexity.State


@pytest.fixture
def queue(monkeypatch):
    """One that takes every message and delivers none."""
    monkeypatch.setattr("jobs.tasks.work.apply_async", lambda *_, **__: None)


def texts():
    return list(Document.objects.order_by("pk").values_list("text", flat=True))


def test_perplexity_is_that_of_transformers(weights):
    perplexity = make_perplexity(make_dataset(), wish=PerplexityRequest(context_length=64))

    work_on(PerplexityJob(), perplexity.pk)

    perplexity.refresh_from_db()
    sums = [nll_of(weights / "tiny", text) for text in texts()]
    expected = math.exp(-sum(total for total, _ in sums) / sum(count for _, count in sums))
    assert perplexity.state == State.FINISHED
    assert progress_of(perplexity).figures.perplexity == pytest.approx(expected, rel=1e-5)
    assert perplexity.scored_tokens == sum(count for _, count in sums)
    assert perplexity.seconds > 0


def test_windows_count_as_many_tokens_as_the_whole(weights):
    perplexity = make_perplexity(make_dataset(), wish=PerplexityRequest(context_length=16))

    work_on(PerplexityJob(), perplexity.pk)

    assert {item.windows for item in perplexity.items.all()} != {1}
    assert [item.count for item in perplexity.items.order_by("document_id")] == [
        nll_of(weights / "tiny", text)[1] for text in texts()
    ]


def test_the_same_seed_draws_the_same_documents_for_every_model():
    dataset, insects = make_dataset(), make_insects()
    wish = PerplexityRequest(documents=2, seed=5)

    passes = [start(make_model(dataset, name=name), insects, wish) for name in ("one", "two")]

    drawn = [set(each.items.values_list("document", flat=True)) for each in passes]
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == 2


def test_all_documents_are_drawn_where_there_are_fewer():
    assert make_perplexity(make_dataset(), wish=PerplexityRequest(documents=300)).documents == 3


def test_a_document_without_text_fails_and_the_others_are_scored(weights):
    source = make_source(Bee="Bees dance.")
    with writing_into("insects") as writer:
        writer.write([new_document("Empty", " \n")])
    source.refresh_from_db()
    perplexity = make_perplexity(make_dataset(), source)

    work_on(PerplexityJob(), perplexity.pk)

    perplexity.refresh_from_db()
    assert perplexity.state == State.FINISHED
    assert perplexity.items.get(state=JobItem.State.FAILED).error.startswith("The text has fewer than two tokens")
    assert progress_of(perplexity).figures.documents == 1


@pytest.mark.usefixtures("neural")
def test_without_its_weights_a_pass_stops_and_says_why(settings, tmp_path):
    settings.WEIGHTS_DIR = tmp_path
    perplexity = make_perplexity(make_dataset())

    work_on(PerplexityJob(), perplexity.pk)

    perplexity.refresh_from_db()
    assert perplexity.state == State.STOPPED
    assert "tiny" in perplexity.error
    assert perplexity.items.waiting().count() == 3


def test_a_task_that_comes_twice_scores_each_document_once(weights):
    perplexity = make_perplexity(make_dataset())
    work_on(PerplexityJob(), perplexity.pk)
    perplexity.refresh_from_db()
    tokens = perplexity.scored_tokens

    work_on(PerplexityJob(), perplexity.pk)

    perplexity.refresh_from_db()
    assert perplexity.scored_tokens == tokens


def test_what_a_killed_worker_held_is_scored_by_the_next(weights):
    perplexity = make_perplexity(make_dataset())
    lost = timezone.now() - timedelta(hours=1)
    perplexity.items.update(state=JobItem.State.LEASED, lease_owner="killed", lease_until=lost)

    work_to_the_end(PerplexityJob(), perplexity.pk)

    perplexity.refresh_from_db()
    assert perplexity.state == State.FINISHED
    assert progress_of(perplexity).done == 3


def test_a_lost_message_is_made_good_by_the_sweep(queue):
    perplexity = make_perplexity(make_dataset())

    assert sweep(PerplexityJob()) == [perplexity.pk]
    assert sweep(PerplexityJob()) == []  # it was just enqueued


def test_a_stopped_pass_is_left_alone_and_goes_on_when_told(weights, queue):
    perplexity = make_perplexity(make_dataset())
    perplexity.stop()

    work_on(PerplexityJob(), perplexity.pk)
    assert sweep(PerplexityJob()) == []
    assert progress_of(perplexity).done == 0

    perplexity.resume()
    work_on(PerplexityJob(), perplexity.pk)
    assert progress_of(perplexity).done == 3


@pytest.mark.parametrize(
    ("wish", "why"),
    [(PerplexityRequest(documents=0), "Draw 1 to"), (PerplexityRequest(context_length=2), "context has")],
)
def test_a_wish_that_cannot_be_is_refused(wish, why):
    with pytest.raises(StartError, match=why):
        make_perplexity(make_dataset(), wish=wish)


def test_a_source_without_documents_is_refused():
    with writing_into("empty") as writer:
        pass

    with pytest.raises(StartError, match="has no document"):
        make_perplexity(make_dataset(), writer.source)


def test_the_command_prints_one_document(weights, capsys):
    dataset, insects = make_dataset(), make_insects()
    make_model(dataset, cutoff="2020-01-01")
    Document.objects.filter(title="Bee").update(published="2019-06-01")

    arguments = (dataset.name, insects.name, "--model", "tiny", "--context", "64", "--wait", "--json")
    call_command("corpus_perplexity", *arguments)

    found = json.loads(capsys.readouterr().out)
    assert (found["state"], found["scored"], found["failed"]) == ("finished", 3, 0)
    assert found["perplexity"] > 1
    assert found["perplexity_interval"] is None  # of three documents
    assert found["before_cutoff"] == {"before": 1, "after": 0, "undated": 2}


def test_the_command_asked_twice_scores_nothing_anew(weights, capsys):
    dataset, insects = make_dataset(), make_insects()
    make_model(dataset)

    for _ in range(2):
        call_command("corpus_perplexity", dataset.name, insects.name, "--model", "tiny", "--context", "64", "--wait")

    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert "of 3 of 3 documents (0 failed); finished." in first
    assert Perplexity.objects.count() == 1


def test_the_command_names_a_model_that_is_not_there():
    dataset, insects = make_dataset(), make_insects()

    with pytest.raises(CommandError, match="has no language model 'gpt'"):
        call_command("corpus_perplexity", dataset.name, insects.name, "--model", "gpt")
