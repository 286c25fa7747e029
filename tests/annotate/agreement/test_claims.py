"""Agreement on claims: four values, and chance chooses among those that somebody gave."""

import pytest

from annotate.agreement.report import build_agreement
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

SHORT = {"S": "supported", "N": "not_supported", "?": "not_enough_evidence"}


def agree(scheme: str, ada: str, ben: str) -> dict:
    dataset = make_dataset("sea", scheme)
    people = [make_person(name, dataset) for name in ("ada", "ben")]
    for number, values in enumerate(zip(ada, ben, strict=True)):
        response = make_response(dataset, [f"Claim {number}."], prompt=f"{number}")
        task = make_task(response)
        for person, letter in zip(people, values, strict=True):
            judge(task, person, {response.segments.get(): SHORT[letter]})
    rows = build_agreement(dataset)["results"]
    return next(row for row in rows if row["values"] == "all" and row["slice"] == {"domain": "all"})


def test_the_value_is_one_of_its_own():
    row = agree("claims", "S?NS", "S??S")
    # Of the units with "?": one that both call so (2 of 2 judgements), one where one does: 2 · 1 / 3.
    assert row["by_value"]["not_enough_evidence"] == pytest.approx(2 / 3)
    assert row["by_value_n"] == {"supported": 2, "not_supported": 1, "irrelevant": 0, "not_enough_evidence": 2}
    # π: supported 4/8, not enough 3/8, not supported 1/8.
    # Σ π (1 − π) = 16/64 + 15/64 + 7/64; by V − 1 = 2, for nobody said irrelevant: 38/128.
    assert row["ac1"] == pytest.approx((3 / 4 - 38 / 128) / (1 - 38 / 128))


def test_other_schemes_have_three_values():
    row = agree("felm", "SNNS", "SSNS")
    assert set(row["by_value"]) == {"supported", "not_supported", "irrelevant"}
    # π: supported 5/8, not supported 3/8; Σ π (1 − π) = 15/64 + 15/64; by V − 1 = 1: 30/64.
    assert row["ac1"] == pytest.approx((3 / 4 - 30 / 64) / (1 - 30 / 64))
