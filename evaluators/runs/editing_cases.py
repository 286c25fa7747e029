"""Responses as cases for editors: the sentences to correct, and their facts with labels by gold or by a run."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotate.facts.judged import judged_facts
from annotate.models import Dataset, GoldEdit, GoldLabel, Segment, Value
from annotate.models.corpus import ResponseQuerySet
from evaluators.methods.base import Case, LabelledFact
from evaluators.methods.editing import ALL, CORRECTED, NO_FACTS, OF_GOLD, OF_RUN
from evaluators.methods.parameters import ParameterError
from evaluators.models import Prediction, Run
from evaluators.models.prediction import ERRORS
from evaluators.runs.cases import read_cases, read_segments


@dataclass(frozen=True)
class Labels:
    """facts: of each segment (primary key), those that have a label, in their order. wrong: segments with an error."""

    facts: dict[int, tuple[LabelledFact, ...]] = field(default_factory=dict)
    wrong: frozenset[int] = frozenset()


def check_labels(parameters: Mapping[str, Any], dataset: Dataset) -> None:
    """Raises ParameterError where the labels that the parameters name are not there."""
    run, facts = parameters["run"], parameters.get("facts", NO_FACTS)
    if facts == OF_RUN and not run:
        raise ParameterError("facts=run needs the number of the run: run=N.")
    if facts == OF_GOLD and run:
        raise ParameterError("facts=gold takes its labels from gold, and run names another source: leave one out.")
    if run and not Run.objects.finished().filter(pk=run, dataset=dataset, edits=False).exists():
        raise ParameterError(f"run is {run}; {dataset.name} has no finished run of an evaluator with this number.")


def editable(dataset: Dataset, parameters: Mapping[str, Any]) -> ResponseQuerySet:
    """The dataset's responses with a sentence to edit, in their order."""
    inside = {"segment__response": OuterRef("pk")}
    wanted = parameters["sentences"]
    if wanted == ALL:
        there: QuerySet[Any] = Segment.objects.filter(response=OuterRef("pk"))
    elif wanted == CORRECTED:
        there = GoldEdit.objects.current().filter(**inside)
    elif parameters["run"]:
        there = Prediction.objects.filter(run=parameters["run"], value__in=ERRORS, **inside)
    else:
        there = GoldLabel.objects.current().filter(value__in=ERRORS, **inside)
    return dataset.responses.visible().filter(Exists(there)).order_by("position")


def read_editing_cases(
    dataset: Dataset, responses: Sequence[int], parameters: Mapping[str, Any], revision: int
) -> dict[int, Case]:
    """The responses (primary keys) as cases whose units are the sentences that the parameters choose; gold and
    corrections as of this revision."""
    labels = read_labels(responses, parameters["run"], revision)
    corrected = read_corrections(responses, revision)
    segments, wanted = read_segments(responses), parameters["sentences"]
    chosen = corrected.keys() if wanted == CORRECTED else labels.wrong
    return {
        response: replace(
            case,
            units=tuple(unit for unit in segments[response] if wanted == ALL or unit.segment_id in chosen),
            facts={unit.segment_id: labels.facts.get(unit.segment_id, ()) for unit in segments[response]},
        )
        for response, case in read_cases(dataset, responses).items()
    }


def read_labels(responses: Sequence[int], run: int, revision: int) -> Labels:
    """By the run of this number; 0: by gold at the revision."""
    return _by_run(responses, run) if run else _by_gold(responses, revision)


def read_corrections(responses: Sequence[int], revision: int) -> dict[int, str]:
    """How each corrected segment of the responses reads by people's settled correction; "" where it is taken out."""
    edits = GoldEdit.objects.at(revision).filter(segment__response__in=responses)
    return dict(edits.values_list("segment", "text"))


def _by_gold(responses: Sequence[int], revision: int) -> Labels:
    """A fact without gold of its own has that of its sentence as a whole, where there is one."""
    gold = GoldLabel.objects.at(revision).filter(segment__response__in=responses)
    values: dict[tuple[int, int | None], str] = {
        (segment, fact): value for segment, fact, value in gold.values_list("segment", "fact", "value")
    }
    facts = {}
    for segment, written in judged_facts(responses).items():
        valued = [(fact, values.get((segment, fact.pk), values.get((segment, None)))) for fact in written]
        facts[segment] = tuple(
            LabelledFact(fact.pk, fact.text, value == Value.SUPPORTED) for fact, value in valued if value is not None
        )
    return Labels(facts, frozenset(segment for (segment, _), value in values.items() if value in ERRORS))


def _by_run(responses: Sequence[int], run: int) -> Labels:
    """Units that could not be parsed have no label."""
    rows = Prediction.objects.filter(run=run, value__isnull=False, segment__response__in=responses)
    facts: defaultdict[int, list[LabelledFact]] = defaultdict(list)
    wrong = set()
    columns = ("segment", "fact", "fact__text", "value")
    for segment, fact, text, value in rows.order_by("segment", "fact__position").values_list(*columns):
        if fact is not None:
            facts[segment].append(LabelledFact(fact, text, value == Value.SUPPORTED))
        if value in ERRORS:
            wrong.add(segment)
    return Labels({segment: tuple(labelled) for segment, labelled in facts.items()}, frozenset(wrong))
