"""Methods with claims of their own as runs: over HTTP, with a scripted model and a scripted search engine."""

import pytest
from django.urls import reverse

from evaluators.comparison.report import build_report
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.models import Endpoint
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.fake_search import fake_search

pytestmark = pytest.mark.django_db(transaction=True)

METHODS = ("veriscore", "fastfact")


@pytest.fixture
def web(monkeypatch):
    """The scripted engine, as "lab search"."""
    monkeypatch.setenv("TOUCHSTONE_KEY_SEARCH", "secret")
    with fake_search() as server:
        Endpoint.objects.create(
            name="lab search",
            base_url=f"{server.address}/serper",
            key_variable="TOUCHSTONE_KEY_SEARCH",
            search_engine="serper",
            shared=True,
        )
        yield server


@pytest.fixture
def numbers(db):
    """Two responses with gold, each with a right and a wrong segment."""
    dataset = make_dataset()
    for texts in (["Three is odd.", "Four is odd: wrong."], ["Five is odd.", "Six is odd: wrong."]):
        for segment in make_response(dataset, texts).segments.all():
            add_gold(segment, "not_supported" if "wrong" in segment.text else "supported")
    return dataset


def work(dataset, method, **parameters):
    given = {"search": "lab search", "pages": "0"} | parameters
    run = create_run(dataset, method, model="m", parameters=given).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == ("finished", "")
    return run


def extraction_of(dataset, run):
    (entry,) = [each for each in build_report(dataset)["evaluators"] if each["run"] == run.pk]
    return {key: (figure["count"], figure["n"]) for key, figure in entry["extraction"]["figures"].items()}


@pytest.mark.parametrize("method", METHODS)
def test_claims_of_segments_are_judged_kept_and_measured(numbers, model, web, method):
    run = work(numbers, method)

    said = list(run.predictions.in_reading_order().values_list("value", flat=True))
    assert said == ["supported", "not_supported"] * 2
    claims = run.extracted_claims.in_reading_order()
    assert [(claim.text, claim.segment) for claim in claims][:2] == [("Three is odd.", 0), ("Four is odd: wrong.", 1)]
    assert all(claim.calls.exists() for claim in claims)
    assert extraction_of(numbers, run) == {
        "claim_precision": (4, 4),
        "unit_coverage": (4, 4),
        "missing_units": (0, 4),
        "invented_claims": (0, 4),
        "merged_claims": (0, 4),
    }


def test_fastfact_searches_only_for_what_the_model_is_not_sure_of(numbers, model, web):
    work(numbers, "fastfact")
    searched = [query for _, query in web.asked]
    assert sorted(searched) == ["Four is odd: wrong.", "Six is odd: wrong."]

    web.asked.clear()
    work(numbers, "veriscore", results="5")
    assert sorted(query for _, query in web.asked) == ["Five is odd.", "Three is odd."]  # the others are frozen


@pytest.mark.parametrize("method", METHODS)
def test_a_claim_of_a_whole_sentence_stands_at_all_facts_that_it_says(db, model, web, method):
    """People judge two facts of the sentence; the scripted model takes the sentence as one claim."""
    lives = make_dataset("lives", scheme="factscore")
    response = make_response(lives, ["Ada Lovelace was born in London in 1815."], prompt="Ada", subject="m")
    for fact in add_facts(response, [["Ada was born in London.", "Ada was born in 1815."]]):
        add_gold(fact, "supported")

    run = work(lives, method)

    assert list(run.predictions.values_list("value", flat=True)) == ["supported"] * 2
    figures = extraction_of(lives, run)
    assert (figures["merged_claims"], figures["unit_coverage"]) == ((1, 1), (2, 2))


def test_the_leaderboard_shows_the_columns_that_the_link_names(numbers, model, web, client):
    work(numbers, "veriscore")
    client.force_login(make_person("rhea", numbers, "researcher"))
    address = reverse("leaderboard", args=[numbers.pk])

    def page(query=""):
        return client.get(f"{address}{query}").content.decode()

    assert 'id="sort-claim_precision"' in page()
    assert 'id="sort-merged_claims"' not in page()
    text = page("?column=claim_precision&column=merged_claims")
    assert 'id="sort-claim_precision"' in text
    assert 'title="4 of 4"' in text
    assert 'title="it extracts no claims"' in text
    csv = client.get(f"{address}?table=leaderboard&as=csv").content.decode()
    assert "Claim precision,Claim precision low,Claim precision high" in csv
