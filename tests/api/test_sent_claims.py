"""Claims that an outside evaluator extracts by itself, sent by the API with the answer for a response."""

from typing import Any

import pytest

from annotate.models import Dataset, Role
from api.outside import serializers
from evaluators.comparison.report import build_report
from evaluators.models import ExtractedClaim, Prediction, Run
from tests.api.conftest import ApiClient, client_of
from tests.api.test_outside import judged, lease, send, start
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab() -> Dataset:
    """Of each response two segments: "One is odd." and "Two is odd."."""
    dataset = make_dataset()
    for _ in range(2):
        make_response(dataset)
    return dataset


@pytest.fixture
def rhea(lab: Dataset) -> ApiClient:
    return client_of(make_person("rhea", lab, Role.RESEARCHER), "read", "evaluate")


def claim(text: str, value: str | None, **more: Any) -> dict[str, Any]:
    return {"text": text, "value": value, **more}


def stored(rhea: ApiClient, run: Run) -> list[tuple[str, int | None, list[tuple[int, int | None]]]]:
    """Of each claim its text, its segment and its units."""
    rows = rhea.get(f"runs/{run.pk}/claims/").json()["results"]
    return [(row["text"], row["segment"], [(unit["segment"], unit["fact"]) for unit in row["units"]]) for row in rows]


def values(run: Run) -> list[str | None]:
    return list(run.predictions.order_by("segment").values_list("value", flat=True))


def test_units_are_judged_by_the_claims_that_say_them(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab, limit=1)
    claims = [
        claim("One is odd.", "supported", score=0.75, rationale="Known."),
        claim("Rome is old.", None),
        claim("Two is odd.", "not_supported", score=0.25),
    ]

    answer = send(rhea, run, lease(rhea, run), {"index": "0", "claims": claims})

    assert answer == {"stored": 1, "failed": 0, "lost": [], "state": "finished"}
    assert stored(rhea, run) == [
        ("One is odd.", None, [(0, None)]),
        ("Rome is old.", None, []),
        ("Two is odd.", None, [(1, None)]),
    ]
    assert list(run.predictions.order_by("segment").values_list("value", "score", "rationale")) == [
        ("supported", 0.75, "One is odd. – Known."),
        ("not_supported", 0.25, "Two is odd."),
    ]


def test_a_claim_stands_at_its_segment_or_at_the_one_that_shares_most_of_its_span(
    lab: Dataset, rhea: ApiClient
) -> None:
    """The segments are the characters 0 to 11 and 12 to 23."""
    run = start(rhea, lab, limit=1)
    claims = [
        claim("It is known.", "supported", segment=1),
        claim("It is old.", "supported", start=9, end=16),
        claim("It is new.", "supported", start=0, end=11),
        claim("It is blank.", "supported", start=11, end=12),
    ]

    send(rhea, run, lease(rhea, run), {"index": "0", "claims": claims})

    assert [place for _, *place in stored(rhea, run)] == [
        [1, [(1, None)]],
        [1, [(1, None)]],
        [0, [(0, None)]],
        [None, []],
    ]


def test_a_claim_of_two_facts_stands_at_both() -> None:
    lives = make_dataset("lives", scheme="factscore")
    response = make_response(lives, ["Ada was born in London in 1815."], prompt="Ada", subject="m")
    add_facts(response, [["Ada was born in London.", "Ada was born in 1815."]])
    rhea = client_of(make_person("rhea", lives, Role.RESEARCHER))
    run = start(rhea, lives)

    send(rhea, run, lease(rhea, run), {"index": response.index, "claims": [claim(response.text, "not_supported")]})

    assert stored(rhea, run) == [(response.text, None, [(0, 0), (0, 1)])]
    assert values(run) == ["not_supported", "not_supported"]


def test_where_no_claim_was_found_its_units_are_skipped(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab, limit=1)
    send(rhea, run, lease(rhea, run), {"index": "0", "claims": []})
    run.refresh_from_db()
    assert run.manifest["outcome"]["skipped"] == {"no claim": 2}
    assert (run.state, stored(rhea, run), values(run)) == ("finished", [], [])


def test_judgements_that_come_with_claims_count_for_the_units(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab, limit=1)
    leased = lease(rhea, run)
    sent = judged(leased["cases"][0], "supported", claims=[claim("One is odd.", "not_supported")])
    send(rhea, run, leased, sent)
    assert stored(rhea, run) == [("One is odd.", None, [(0, None)])]
    assert values(run) == ["supported", "supported"]


def test_extraction_is_measured_as_that_of_a_method_of_this_site(lab: Dataset, rhea: ApiClient) -> None:
    """Of three claims one is invented; of the two others one is judged as gold judges it. Half of four units have a
    claim."""
    for response in lab.responses.all():
        first, second = response.segments.all()
        add_gold(first, "supported")
        add_gold(second, "not_supported")
    run = start(rhea, lab)
    one = [claim("One is odd.", "supported"), claim("Rome is old.", "supported"), claim("Two is odd.", "supported")]

    send(rhea, run, lease(rhea, run), {"index": "0", "claims": one}, {"index": "1", "claims": []})

    rows = {entry["evaluator"]: entry for entry in build_report(lab)["evaluators"]}
    extraction = rows["mine"]["extraction"]
    assert (extraction["claims"], extraction["units"]) == (3, 4)
    counts = {key: (figure["count"], figure["n"]) for key, figure in extraction["figures"].items()}
    assert counts == {
        "claim_precision": (1, 2),
        "unit_coverage": (2, 4),
        "missing_units": (2, 4),
        "invented_claims": (1, 3),
        "merged_claims": (0, 3),
    }


@pytest.mark.parametrize(
    ("claims", "sentence"),
    [
        ([claim("", "supported")], "may not be blank"),
        ([claim("One.", "true")], "is not a valid choice"),
        ([claim("One.", "supported", score=2)], "less than or equal to 1"),
        ([claim("One.", "not_enough_evidence")], "Response '0': The method gave the value 'not_enough_evidence'."),
        ([claim("One.", "supported", segment=2)], "from segment 2, which the response has not."),
        ([claim("One.", "supported", start=20, end=24)], "has 23 characters, and a claim was taken from 20 to 24."),
        ([claim("One.", "supported", start=4, end=4)], "from start up to end, which is greater."),
        ([claim("One.", "supported", start=4)], "from start up to end, which is greater."),
        ([claim("One.", "supported", segment=0, start=0, end=4)], "its segment, or start and end, not both."),
        ([claim("One.", "supported")] * 3, "A response has at most 2 claims."),
        ("One.", "Expected a list of items"),
    ],
)
def test_claims_that_do_not_fit_are_refused_and_nothing_is_stored(
    lab: Dataset, rhea: ApiClient, claims: Any, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serializers, "MOST_CLAIMS", 2)
    run = start(rhea, lab)
    leased = lease(rhea, run)
    good = {"index": "1", "claims": [claim("One is odd.", "supported")]}

    problem = send(rhea, run, leased, good, {"index": "0", "claims": claims})

    assert (problem["status"], sentence in problem["detail"]) == (422, True), problem
    assert (ExtractedClaim.objects.count(), Prediction.objects.count(), run.items.leased().count()) == (0, 0, 2)


def test_claims_of_a_lease_that_ran_out_are_lost(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab, limit=1)
    leased = lease(rhea, run)
    run.items.update(lease_owner="another")
    sent = {"index": "0", "claims": [claim("One is odd.", "supported")]}
    assert send(rhea, run, leased, sent)["lost"] == ["0"]
    assert not ExtractedClaim.objects.exists()
