"""Runs over facts that they made for themselves go with those facts."""

import pytest

from annotate.models import AtomicFact, Dataset, FactSet
from core.errors import DataError
from evaluators.bundle.export import export_results
from evaluators.bundle.take_in import import_results
from evaluators.comparison.report import build_report
from evaluators.models import Evaluator, Prediction, Run
from evaluators.reproduction.measure import scratch_database
from tests.factories import add_facts, add_gold, make_dataset, make_response

pytestmark = pytest.mark.django_db


def make_lives() -> Dataset:
    dataset = make_dataset("lives", "factscore")
    response = make_response(dataset, ["She is odd."], "Ada", subject="m", frequency="rare")
    for fact in add_facts(response, [["She is odd.", "She is."]]):
        add_gold(fact, "supported")
    return dataset


def add_generating_run(dataset: Dataset) -> None:
    response = dataset.responses.get()
    fact_set = FactSet.objects.create(response=response, origin="generated", model="tiny", prompt_hash="a" * 64)
    evaluator = Evaluator.objects.create(name="own", method="always", model="tiny", parameters={"facts": "generated"})
    run = Run.objects.create(evaluator=evaluator, dataset=dataset, state="finished", manifest={})
    run.items.create(response=response, position=0, state="done")
    for place, value in enumerate(("supported", "not_supported", "supported")):
        fact = AtomicFact.objects.create(
            fact_set=fact_set, segment=response.segments.get(), position=place, text=f"{place}"
        )
        Prediction.objects.create(run=run, segment=fact.segment, fact=fact, value=value)


@pytest.fixture
def packed(tmp_path):
    dataset = make_lives()
    add_generating_run(dataset)
    export_results(dataset, tmp_path / "r.zip")
    return tmp_path / "r.zip", build_report(dataset)["evaluators"][-1]["subjects"]


def test_the_estimate_is_the_same_elsewhere(packed) -> None:
    path, subjects = packed
    assert subjects[0]["estimated"] == pytest.approx(2 / 3)
    with scratch_database():
        here = make_lives()
        assert import_results(here, path).differences == []
        assert build_report(here)["evaluators"][-1]["subjects"] == subjects


def test_other_facts_of_the_same_model_and_prompt_are_refused(packed) -> None:
    with scratch_database():
        here = make_lives()
        FactSet.objects.create(response=here.responses.get(), origin="generated", model="tiny", prompt_hash="a" * 64)
        with pytest.raises(DataError, match="made other facts"):
            import_results(here, packed[0])
        assert not Run.objects.exists()
