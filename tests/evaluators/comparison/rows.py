"""Evaluators for the tests of the comparison, in the fewest words."""

from annotate.models import AtomicFact, Segment
from evaluators.models import Evaluator, Prediction, Run

SHORT = {"S": "supported", "N": "not_supported", "I": "irrelevant", "?": None}


def add_run(dataset, said, name="judge", method="lexical", state="finished"):
    """A run that said of these units: {unit: "S", "N", "I", or "?" for what could not be parsed}."""
    evaluator, _ = Evaluator.objects.get_or_create(name=name, defaults={"method": method})
    run = Run.objects.create(evaluator=evaluator, dataset=dataset, state=state)
    rows = []
    for unit, letter in said.items():
        segment, fact = (unit, None) if isinstance(unit, Segment) else (unit.segment, unit)
        assert fact is None or isinstance(fact, AtomicFact)
        value = SHORT[letter]
        rows.append(Prediction(run=run, segment=segment, fact=fact, value=value, unparsed=value is None))
    Prediction.objects.bulk_create(rows)
    return run


def result(report, name="judge", level="segment", slice="all"):
    """The one result of an evaluator at a level and in a slice."""
    found = [
        row
        for evaluator in report["evaluators"]
        if evaluator["evaluator"] == name
        for row in evaluator["results"]
        if row["level"] == level and slice in row["slice"].values()
    ]
    assert len(found) == 1
    return found[0]
