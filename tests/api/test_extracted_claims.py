"""The claims that a run extracted by itself, by the API."""

import io
import json

import pyarrow.parquet as pq
import pytest

from annotate.models import Role
from evaluators.models import Run
from tests.api.conftest import ApiClient, client_of
from tests.evaluators.comparison.rows import add_run
from tests.evaluators.comparison.test_extraction import add_claims
from tests.factories import add_facts, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    """Of one response: a claim of two facts, one of a whole segment, one of nothing."""
    dataset = make_dataset("lives", scheme="factscore")
    response = make_response(dataset, ["Ada was born.", "She sang."], prompt="Ada", subject="m")
    facts = add_facts(response, [["Ada was.", "Ada was born."], []])
    run = add_run(dataset, {}, method="veriscore")
    add_claims(run, response, ("S", *facts), ("N", response.segments.all()[1]), ("?",))
    run.extracted_claims.filter(position=0).update(segment=0, score=0.75, rationale="As is known.")
    return run


@pytest.fixture
def rhea(run: Run) -> ApiClient:
    return client_of(make_person("rhea", run.dataset, Role.RESEARCHER))


def test_claims_come_with_the_units_that_say_them(run: Run, rhea: ApiClient) -> None:
    first, second, third = rhea.get(f"runs/{run.pk}/claims/").json()["results"]

    assert first == {
        "id": run.extracted_claims.get(position=0).pk,
        "index": "m/Ada",
        "position": 0,
        "text": "Claim 0.",
        "value": "supported",
        "score": 0.75,
        "rationale": "As is known.",
        "segment": 0,
        "units": [{"segment": 0, "fact": 0}, {"segment": 0, "fact": 1}],
    }
    assert (second["units"], second["segment"]) == ([{"segment": 1, "fact": None}], None)
    assert (third["value"], third["units"]) == (None, [])


def test_they_are_narrowed_by_their_units(run: Run, rhea: ApiClient) -> None:
    def positions(show: str) -> list[int]:
        return [claim["position"] for claim in rhea.get(f"runs/{run.pk}/claims/?show={show}").json()["results"]]

    assert (positions("invented"), positions("merged")) == ([2], [0])
    assert rhea.get(f"runs/{run.pk}/claims/?show=lost").status_code == 422


def test_they_come_whole_as_json_lines_and_as_parquet(run: Run, rhea: ApiClient) -> None:
    pages = rhea.get(f"runs/{run.pk}/claims/").json()["results"]

    whole = rhea.get(f"runs/{run.pk}/claims/?format=jsonl")
    parquet = rhea.get(f"runs/{run.pk}/claims/?format=parquet")

    assert [json.loads(line) for line in b"".join(whole).splitlines()] == pages
    assert pq.read_table(io.BytesIO(b"".join(parquet))).to_pylist() == pages
