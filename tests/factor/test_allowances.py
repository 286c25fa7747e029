"""Limits of spending in FACTOR: nothing of it starts where nothing is left, what runs is counted, and pages say so."""

from decimal import Decimal

import pytest
from django.urls import reverse

from annotate.grants.allowances import set_allowance
from annotate.models import Allowance, Role
from factor.building.start import BuildRequest
from factor.building.start import start as build
from factor.models import BenchmarkBuild, OpenEndedStudy, Perplexity, Scoring
from factor.open_ended.start import Design
from factor.open_ended.start import start as study
from factor.perplexity.start import PerplexityRequest
from factor.perplexity.start import start as pass_over
from factor.scoring.scoring_job import ScoringJob
from factor.scoring.start import ScoringRequest
from factor.scoring.start import start as score
from jobs.errors import StartError
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.models import Price
from tests.factor.building.corpus import begin
from tests.factor.open_ended.work import make_scoring
from tests.factor.scoring.work import LIKELY, make_benchmark, served
from tests.factories import make_dataset, make_person


@pytest.fixture
def lab(db, model):
    model.control(logprobs_of=LIKELY)
    return make_dataset()


def test_where_nothing_is_left_nothing_starts(db, model):
    begun = begin()
    dataset, source = begun.benchmark.dataset, begun.source
    reached, scored = served(dataset), make_scoring(begun.benchmark)
    rhea = make_person("rhea", dataset, Role.RESEARCHER)
    set_allowance(dataset, rhea, Decimal(0))
    there = [table.objects.count() for table in (BenchmarkBuild, Scoring, Perplexity, OpenEndedStudy)]
    for start in (
        lambda: build(dataset, "another", source, default_endpoint(), BuildRequest("m"), rhea),
        lambda: score(begun.benchmark, reached, ScoringRequest(context_length=64), rhea),
        lambda: pass_over(reached, source, PerplexityRequest(context_length=64), rhea),
        lambda: study(scored, default_endpoint(), "m", Design(1), rhea),
    ):
        with pytest.raises(StartError, match=r"for the person who began it, \$0.00, is spent"):
            start()
    assert [table.objects.count() for table in (BenchmarkBuild, Scoring, Perplexity, OpenEndedStudy)] == there


@pytest.mark.django_db(transaction=True)
def test_a_scoring_is_counted(lab):
    Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd=1000, completion_usd=1000)
    set_allowance(lab, None, Decimal(1000))
    scoring = score(make_benchmark(lab), served(lab), ScoringRequest(context_length=64))
    work_on(ScoringJob(), scoring.pk)
    scoring.refresh_from_db()
    assert scoring.state == "finished"
    assert Allowance.objects.get().spent_usd == scoring.spent_usd > 0


def test_the_pages_say_what_is_left(client, db, model):
    begun = begin()
    dataset = begun.benchmark.dataset
    served(dataset)
    make_scoring(begun.benchmark)
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    set_allowance(dataset, None, Decimal(10))
    for name, key in (
        ("build-new", dataset.pk),
        ("perplexities", dataset.pk),
        ("scorings", begun.benchmark.pk),
        ("open-ended", begun.benchmark.pk),
    ):
        assert "Left for calls" in client.get(reverse(name, args=[key])).text, name
