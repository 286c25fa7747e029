"""The verdicts of all evaluators on one response, unit by unit beside gold."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_in_dataset, role_in
from annotate.models import AtomicFact, GoldLabel, Response, Role, Segment
from evaluators.comparison.judges import TRIVIAL
from evaluators.models import Prediction, Run
from evaluators.models.prediction import ERRORS
from evaluators.predictions.read import latest_runs

Address = tuple[int, int | None]


@dataclass(frozen=True)
class SameVerdict:
    """The evaluators that give a unit one value, None where it could not be parsed. contradicts: whether that is on the
    other side of correct and error than gold; None where either is not known."""

    value: str | None
    said: Sequence[tuple[Run, Prediction]]
    contradicts: bool | None


@dataclass(frozen=True)
class JudgedUnit:
    """A segment, or a fact of it. silent: the evaluators without a prediction here."""

    segment: Segment
    fact: AtomicFact | None
    gold: str | None
    verdicts: Sequence[SameVerdict]
    silent: Sequence[Run]

    @property
    def text(self) -> str:
        return (self.fact or self.segment).text


@require_safe
def response_verdicts(request: MemberRequest, pk: int) -> HttpResponse:
    """Of the last finished run of each evaluator; the trivial baselines say nothing of a unit."""
    visible = Response.objects.visible().select_related("dataset", "prompt")
    response = fetch_in_dataset(request.user, visible, pk, "dataset", Role.RESEARCHER, Role.ADJUDICATOR)
    runs = [run for run in latest_runs(response.dataset) if run.evaluator.method not in TRIVIAL]
    page = {
        "dataset": response.dataset,
        "role": role_in(request.user, response.dataset),
        "tab": "overview",
        "response": response,
        "runs": runs,
        "units": verdicts_on(response, runs),
    }
    return render(request, "runs/response_verdicts.html", page)


def verdicts_on(response: Response, runs: Sequence[Run]) -> list[JudgedUnit]:
    """The units of the response that any of the runs or gold judges, in reading order."""
    labels = GoldLabel.objects.current().filter(segment__response=response).select_related("segment", "fact")
    gold = {(label.segment_id, label.fact_id): label for label in labels}
    said = Prediction.objects.filter(run__in=runs, segment__response=response).select_related("segment", "fact")
    by_address: dict[Address, dict[int, Prediction]] = defaultdict(dict)
    for prediction in said:
        by_address[prediction.segment_id, prediction.fact_id][prediction.run_id] = prediction
    units = {(each.segment_id, each.fact_id): (each.segment, each.fact) for each in (*gold.values(), *said)}
    judged = [
        _judged(segment, fact, _gold_of(gold, address), by_address[address], runs)
        for address, (segment, fact) in units.items()
    ]
    return sorted(judged, key=lambda unit: (unit.segment.position, unit.fact.position if unit.fact else -1))


def _gold_of(gold: dict[Address, GoldLabel], address: Address) -> str | None:
    """A fact of a sentence that is irrelevant as a whole has the sentence's."""
    label = gold.get(address) or gold.get((address[0], None))
    return label.value if label else None


def _judged(
    segment: Segment, fact: AtomicFact | None, gold: str | None, said: dict[int, Prediction], runs: Sequence[Run]
) -> JudgedUnit:
    by_value: dict[str | None, list[tuple[Run, Prediction]]] = defaultdict(list)
    for run in runs:
        if prediction := said.get(run.pk):
            by_value[prediction.value].append((run, prediction))
    verdicts = [
        SameVerdict(value, pairs, None if value is None or gold is None else (value in ERRORS) != (gold in ERRORS))
        for value, pairs in sorted(by_value.items(), key=lambda each: -len(each[1]))
    ]
    return JudgedUnit(segment, fact, gold, verdicts, [run for run in runs if run.pk not in said])
