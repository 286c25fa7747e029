"""The pages on which models are scored, and the command."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from annotate.models import Role
from factor.models import ScoredModel, Scoring
from factor.scoring.scoring_job import ScoringJob
from factor.scoring.start import ScoringRequest, start
from jobs.work import work_on
from tests.factor.scoring.work import LIKELY, endpoint_that, make_benchmark, served
from tests.factories import make_dataset, make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def benchmark(model, client):
    model.control(logprobs_of=LIKELY)
    dataset = make_dataset()
    client.force_login(make_person("rhea", dataset, Role.RESEARCHER))
    return make_benchmark(dataset)


def test_an_empty_page_says_what_to_do(client, benchmark):
    page = client.get(reverse("scorings", args=[benchmark.pk]))

    assert "No scorings yet" in page.text
    assert "Add a language model" in page.text


def test_a_model_is_added_once_and_scored(client, benchmark):
    given = {"name": "mimi", "reached_by": "endpoint", "reached_as": "m", "endpoint": endpoint_that(echo=True).pk}
    add = reverse("scored-model-add", args=[benchmark.pk])
    assert client.post(add, given).status_code == 302
    again = client.post(add, given)
    assert (again.status_code, "A model with this name already exists" in again.text) == (422, True)

    wished = {"model": ScoredModel.objects.get().pk, "context_length": 64, "stride": 8, "query_tokens": 32}
    answer = client.post(reverse("scoring-start", args=[benchmark.pk]), wished)

    assert answer.url == reverse("scoring", args=[Scoring.objects.get().pk])


def test_an_endpoint_must_be_chosen(client, benchmark):
    given = {"name": "mimi", "reached_by": "endpoint", "reached_as": "m"}

    answer = client.post(reverse("scored-model-add", args=[benchmark.pk]), given)

    assert (answer.status_code, "Choose an endpoint" in answer.text) == (422, True)


def test_what_cannot_be_scored_is_said_on_the_form(client, benchmark):
    wished = {"context_length": 64, "stride": 8, "query_tokens": 32}
    wished["model"] = served(benchmark.dataset, chat=True).pk

    answer = client.post(reverse("scoring-start", args=[benchmark.pk]), wished)

    assert (answer.status_code, Scoring.objects.count()) == (422, 0)
    assert "gives no log-probabilities of a text" in answer.text


def test_the_page_tells_what_was_scored_and_what_has_no_score(client, benchmark, model):
    model.control(logprobs_of={**LIKELY, "sing.": None})
    scoring = start(benchmark, served(benchmark.dataset), ScoringRequest(context_length=64))
    work_on(ScoringJob(), scoring.pk)

    page = squeezed(client.get(reverse("scoring", args=[scoring.pk])).text)

    assert "2 of 2 examples scored" in page
    assert "2 completions without a score" in page
    assert "Tokens a second" in page
    assert "not a number" in page


def test_a_scoring_is_stopped_and_goes_on(client, benchmark):
    scoring = start(benchmark, served(benchmark.dataset), ScoringRequest())
    for address, state in (("scoring-stop", "stopped"), ("scoring-resume", "scoring")):
        client.post(reverse(address, args=[scoring.pk]))
        scoring.refresh_from_db()
        assert scoring.state == state


def test_the_list_takes_as_many_queries_for_many_as_for_few(client, benchmark, django_assert_max_num_queries):
    mimi = served(benchmark.dataset)
    for _ in range(5):
        start(benchmark, mimi, ScoringRequest())

    with django_assert_max_num_queries(25):
        client.get(reverse("scorings", args=[benchmark.pk]))


def command(benchmark, *options):
    out = StringIO()
    call_command("score_benchmark", benchmark.dataset.name, "insects", *options, "--wait", "--json", stdout=out)
    return json.loads(out.getvalue())


def test_the_command_adds_the_model_and_scores_to_the_end(benchmark):
    endpoint_that(echo=True)
    options = ("--model", "mimi", "--endpoint", "", "--served-as", "m", "--context", "64", "--family", "Mi")

    report = command(benchmark, *options, "--limit", "1")

    assert (report["state"], report["scored"], report["scored_tokens"]) == ("finished", 1, 6)
    assert ScoredModel.objects.get().family == "Mi"


@pytest.mark.usefixtures("neural")
def test_the_command_wants_to_know_how_a_new_model_is_reached(benchmark):
    with pytest.raises(CommandError, match="say --endpoint, --weights or --gguf"):
        command(benchmark, "--model", "mimi")
    with pytest.raises(CommandError, match="WEIGHTS_DIR"):
        command(benchmark, "--model", "mimi", "--weights", "absent")
    assert ScoredModel.objects.count() == 0
