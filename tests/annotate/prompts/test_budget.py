"""What asking a model would take, and the limits that it keeps to."""

import json
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from annotate.corpus.rows import PromptRow
from annotate.models import Generation, Role
from annotate.prompts.collect import collect
from annotate.prompts.estimate import estimate
from annotate.prompts.generation_job import GenerationJob
from annotate.prompts.start import GenerationSettings, start
from jobs.errors import StartError
from jobs.limits import Limits
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.models import Call, Price
from llm.retries import RetryPolicy
from tests.factories import make_dataset, make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

AT_ONCE = RetryPolicy(attempts=2, first_wait=0.01)
ASK = {"model": "tiny", "interface": "chat", "temperature": 0, "max_tokens": 50, "samples": 1, "sample_temperature": 1}


@pytest.fixture
def lives():
    """Forty prompts of 24 characters each."""
    dataset = make_dataset("lives", scheme="factscore")
    collect(dataset, [PromptRow(f"Tell me a bio of Ines {n}.", topic=f"Ines {n}") for n in range(10, 50)], "file")
    return dataset


def work(generation):
    work_on(GenerationJob(AT_ONCE), generation.pk)
    generation.refresh_from_db()


def test_an_estimate_by_hand(lives):
    Price.objects.create(endpoint=default_endpoint(), model="tiny", prompt_usd=1, completion_usd=10)

    estimated = estimate(lives, default_endpoint(), GenerationSettings("tiny", max_tokens=50, samples=2))

    # 40 prompts × 3 answers; 24 or 25 characters make 6 tokens and a quarter; at most 50 tokens an answer.
    assert (estimated.prompts, estimated.known, estimated.calls) == (40, 0, 120)
    assert (estimated.prompt_tokens, estimated.completion_tokens) == (750, 6000)
    assert estimated.cost_usd == Decimal("0.060750")


def test_an_estimate_counts_the_calls_that_are_made(lives, model):
    model.control(answer="Ines painted.")
    settings = GenerationSettings("tiny", samples=1)
    assert estimate(lives, default_endpoint(), settings, limit=5).calls == 10
    work(start(lives, default_endpoint(), settings, limit=5))
    assert model.stats()["total"] == 10

    lives.responses.all().delete()
    Generation.objects.all().delete()
    estimated = estimate(lives, default_endpoint(), settings, limit=6)
    assert (estimated.known, estimated.calls) == (10, 2)


def test_it_stops_before_its_limit_and_goes_on_when_that_is_raised(lives, model):
    model.control(answer="Ines painted.")
    generation = start(lives, default_endpoint(), GenerationSettings("tiny", max_tokens=50), limits=Limits(tokens=200))

    work(generation)

    assert (generation.state, generation.error) == ("stopped", "The budget is spent: the next call could exceed it.")
    assert 0 < generation.spent_tokens <= 200
    assert set(generation.items.values_list("state", "attempts")) == {("done", 1), ("waiting", 0)}
    assert Call.objects.count() == model.stats()["total"]

    with pytest.raises(StartError, match=f"has spent {generation.spent_tokens} tokens"):
        generation.resume(Limits(tokens=generation.spent_tokens))
    generation.resume(Limits(tokens=100_000))
    work(generation)
    assert (generation.state, lives.responses.count(), model.stats()["total"]) == ("finished", 40, 40)


def test_a_price_can_only_be_kept_to_where_it_is_known(lives):
    limits = Limits(cost_usd=Decimal(1))
    with pytest.raises(StartError, match="What tiny costs is not known"):
        start(lives, default_endpoint(), GenerationSettings("tiny"), limits=limits)

    Price.objects.create(endpoint=default_endpoint(), model="tiny", prompt_usd=1, completion_usd=10)
    assert start(lives, default_endpoint(), GenerationSettings("tiny"), limits=limits).max_cost_usd == 1


@pytest.fixture
def dora(client, lives):
    client.force_login(make_person("dora", lives, Role.ADJUDICATOR))
    return client


def test_the_page_tells_what_it_would_take(dora, lives):
    address = reverse("generation-new", args=[lives.pk])
    assert "40 prompts collected." in squeezed(dora.get(address).content.decode())

    part = squeezed(dora.get(address, ASK, headers={"HX-Request": "true"}).content.decode())
    assert "<strong>40 prompts, 80 calls</strong>" in part
    assert "<form" not in part


def test_without_a_script_the_estimate_comes_by_a_button(dora, lives):
    page = dora.post(reverse("generation-start", args=[lives.pk]), {**ASK, "estimate": "yes"})

    assert "<strong>40 prompts, 80 calls</strong>" in squeezed(page.content.decode())
    assert not Generation.objects.exists()


def test_limits_are_given_and_raised_on_the_page(dora, lives, model):
    dora.post(reverse("generation-start", args=[lives.pk]), {**ASK, "max_tokens_total": 500})
    generation = Generation.objects.get()
    work(generation)
    assert "The budget is spent" in dora.get(reverse("generation", args=[generation.pk])).content.decode()

    address = reverse("generation-resume", args=[generation.pk])
    page = dora.post(address, {"max_tokens_total": 1}, follow=True)
    assert "raise its limit of 1 first" in page.content.decode()
    dora.post(address, {"max_tokens_total": 90_000})
    generation.refresh_from_db()
    assert (generation.state, generation.max_tokens) == ("asking", 90_000)


def test_the_command_estimates_and_keeps_to_limits(lives, model, capsys):
    call_command("generate_responses", "lives", "tiny", "--estimate", "--json")
    assert json.loads(capsys.readouterr().out) == {
        "prompts": 40,
        "known": 0,
        "calls": 40,
        "prompt_tokens": 250,
        "completion_tokens": 40_960,
        "cost_usd": None,
        "known_usd": 0.0,
        "unpriced": ["prompts", "answers"],
    }

    with pytest.raises(CommandError, match="The budget is spent"):
        call_command("generate_responses", "lives", "tiny", "--max-tokens-total", "1200", "--wait", "--json")
    assert 0 < json.loads(capsys.readouterr().out)["spent_tokens"] <= 1200
