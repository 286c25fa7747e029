"""Predictions on claims: "not enough evidence" is an error as any other, and a value of its own in the table."""

import json

import pytest

from core.errors import FaultsError
from evaluators.comparison.report import build_report
from evaluators.methods import METHODS
from evaluators.methods.base import Judgement
from evaluators.models import Prediction
from evaluators.predictions.import_file import import_predictions
from evaluators.run_page.figures import figures_of_run
from evaluators.runs.cases import read_cases
from evaluators.runs.create import create_run
from evaluators.runs.results import ContractError, read_outcomes
from tests.evaluators.comparison.rows import result
from tests.factories import add_gold, add_passages, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

NOT_ENOUGH = "not_enough_evidence"
GOLD = ("supported", "supported", "not_supported", NOT_ENOUGH, NOT_ENOUGH)
SAID = ("supported", NOT_ENOUGH, NOT_ENOUGH, NOT_ENOUGH, "supported")


@pytest.fixture
def sea():
    """Five claims that stand alone."""
    dataset = make_dataset("sea", "claims")
    for number, value in enumerate(GOLD):
        response = make_response(dataset, [f"Claim {number}."], prompt="", domain="nature")
        add_gold(response.segments.get(), value)
    return dataset


def take_in(dataset, tmp_path, values, name="outside"):
    file = tmp_path / "predictions.jsonl"
    rows = [{"index": str(number), "segment": 0, "value": value} for number, value in enumerate(values)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return import_predictions(dataset, file, name).run


def test_supported_is_held_against_all_the_rest(sea, tmp_path):
    take_in(sea, tmp_path, SAID)
    row = result(build_report(sea), "outside")
    # Errors in gold: 3; of them 2 are called errors, and one of the 2 supported claims is too: F1 = 4 / (4 + 1 + 1).
    assert row["f1"] == pytest.approx(2 / 3)
    # Recall of errors 2/3, of what is supported 1/2.
    assert row["balanced_accuracy"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert Prediction.objects.errors().count() == 3
    # The second, called an error, and the last, called supported.
    assert Prediction.objects.disagreeing().count() == 2


def test_the_table_by_value_tells_refuted_from_unknown(sea, tmp_path):
    run = take_in(sea, tmp_path, SAID)
    table = figures_of_run(run)[0].by_value
    assert table.columns == ("Supported", "Not supported", "Irrelevant", "Not enough evidence")
    assert table.rows == (
        ("Supported", (1, 0, 0, 1)),
        ("Not supported", (0, 0, 0, 0)),
        ("Irrelevant", (0, 0, 0, 0)),
        ("Not enough evidence", (1, 1, 0, 1)),
        ("Unparsed", (0, 0, 0, 0)),
        ("Missing", (0, 0, 0, 0)),
    )


def test_the_page_of_the_run_shows_it(sea, tmp_path, client):
    run = take_in(sea, tmp_path, SAID)
    client.force_login(make_person("rhea", sea, "researcher"))
    html = client.get(f"/runs/{run.pk}/").content.decode()
    assert "Gold: not enough evidence" in html


def test_segments_have_no_such_prediction(tmp_path):
    dataset = make_dataset()
    make_response(dataset, ["One is odd."])
    with pytest.raises(FaultsError, match="not_enough_evidence is a value of claims against a source, and lab has"):
        take_in(dataset, tmp_path, [NOT_ENOUGH])
    assert not Prediction.objects.exists()


def test_a_case_of_claims_carries_their_passages(sea):
    first = sea.responses.first()
    add_passages(first.segments.get(), "One.", "Two.")
    case = read_cases(sea, [first.pk])[first.pk]
    assert (case.of_claims, case.passages_of(case.units[0])) == (True, ["One.", "Two."])
    assert read_outcomes(case, [Judgement(case.units[0], NOT_ENOUGH)]).judgements[0].value == NOT_ENOUGH


def test_a_method_may_say_so_of_claims_only():
    dataset = make_dataset()
    response = make_response(dataset, ["One is odd."])
    case = read_cases(dataset, [response.pk])[response.pk]
    assert not case.of_claims
    with pytest.raises(ContractError, match="The method gave the value 'not_enough_evidence'"):
        read_outcomes(case, [Judgement(case.units[0], NOT_ENOUGH)])


def test_methods_that_judge_by_passages_or_by_nothing_take_claims(sea):
    names = {name for name, method in METHODS.items() if "claims" in method.schemes}
    assert {"always-supported", "always-not-supported", "random", "lexical", "nli", "minicheck"} <= names
    assert not {name for name in names if name.startswith(("felm", "factscore"))}
    run = create_run(sea, "lexical").run
    assert run.items.count() == 5
