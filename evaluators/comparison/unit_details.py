"""Units as they are read: in their response, with gold, its evidence, and the answer of each evaluator."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Prefetch

from annotate.corpus.highlight import HighlightPiece, pieces
from annotate.models import AtomicFact, GoldLabel, ReferenceLink, Response, Segment
from evaluators.comparison.judges import Judge
from evaluators.comparison.levels import judged_in_relevant
from evaluators.comparison.study import ComparisonStudy
from evaluators.comparison.units_in_cell import keys_of
from evaluators.models import Prediction
from llm.models import Call
from stats.arrays import Ints

Address = tuple[int, int | None]


@dataclass(frozen=True)
class EvaluatorAnswer:
    """An evaluator's answer at an address; `prediction` is None where it gave none."""

    evaluator: str
    run: int
    prediction: Prediction | None


@dataclass(frozen=True)
class UnitPart:
    """An address within a unit: a segment as a whole, or a fact of it."""

    segment: Segment
    fact: AtomicFact | None
    gold: GoldLabel | None
    answers: Sequence[EvaluatorAnswer]

    @property
    def text(self) -> str:
        return self.fact.text if self.fact else self.segment.text


@dataclass(frozen=True)
class UnitDetail:
    """A unit of the level: a part of its response, or the whole of it.

    `marked`: the keys of its segments, none where it is the whole.
    """

    response: Response
    text: Sequence[HighlightPiece]
    marked: frozenset[int]
    parts: Sequence[UnitPart]


def unit_details(study: ComparisonStudy, level: str, units: Ints, judges: Sequence[Judge]) -> list[UnitDetail]:
    """The units of these numbers, in this order: a handful of queries however many they are.

    A baseline without a run has no predictions.
    """
    segments_of = {unit: _segment_rows(study, level, unit) for unit in units.tolist()}
    rows = sorted({row for segment_rows in segments_of.values() for row in segment_rows})
    keys = study.table.segments.key[rows].tolist()
    responses = _responses(study, rows)
    facts = _facts(study, rows)
    gold, answers = _gold(study, keys), _answers(judges, keys)
    ran = [(judge.name, judge.run.pk) for judge in judges if judge.run is not None]

    def part(segment: Segment, fact: AtomicFact | None) -> UnitPart:
        address = (segment.pk, fact.pk if fact else None)
        return UnitPart(
            segment,
            fact,
            gold.get(address),
            [EvaluatorAnswer(name, run, answers.get((run, *address))) for name, run in ran],
        )

    details = []
    for unit in units.tolist():
        response = responses[int(study.table.segments.response[segments_of[unit][0]])] if segments_of[unit] else None
        if response is None:
            continue
        by_key = {segment.pk: segment for segment in response.segments.all()}
        own = [by_key[key] for key in study.table.segments.key[segments_of[unit]].tolist()]
        only = int(keys_of(study.table, level)[unit]) if level == "fact" else None
        parts = []
        for segment in own:
            if only is None and (not study.table.of_facts or (segment.pk, None) in gold):
                parts.append(part(segment, None))
            parts += [part(segment, fact) for fact in facts[segment.pk] if only in (None, fact.pk)]
        marked = frozenset(segment.pk for segment in own if level != "response")
        details.append(UnitDetail(response, pieces(response.text, list(by_key.values())), marked, parts))
    return details


def _segment_rows(study: ComparisonStudy, level: str, unit: int) -> list[int]:
    """The rows of the segments that a unit consists of, or stands in."""
    if level == "segment":
        return [unit]
    if level == "fact":
        return [int(study.table.units.segment[judged_in_relevant(study.table)][unit])]
    segment_rows: list[int] = np.flatnonzero(study.table.segments.response == unit).tolist()
    return segment_rows


def _responses(study: ComparisonStudy, segment_rows: Sequence[int]) -> dict[int, Response]:
    """The responses by their rows in the table."""
    rows = sorted(set(study.table.segments.response[segment_rows].tolist()))
    references = Prefetch("references", ReferenceLink.objects.order_by("position"))
    segments = Prefetch("segments", Segment.objects.order_by("position"))
    read = Response.objects.select_related("prompt").prefetch_related(references, segments)
    by_key = read.in_bulk(study.table.responses.key[rows].tolist())
    return {row: by_key[int(study.table.responses.key[row])] for row in rows}


def _facts(study: ComparisonStudy, rows: Sequence[int]) -> dict[int, list[AtomicFact]]:
    """The judged facts of the segments, by the segment's key; in FELM's scheme there are none."""
    facts: dict[int, list[AtomicFact]] = defaultdict(list)
    if study.table.of_facts:
        inside = np.isin(study.table.units.segment, rows)
        for fact in AtomicFact.objects.filter(pk__in=study.table.units.fact[inside].tolist()).order_by("position"):
            facts[fact.segment_id].append(fact)
    return facts


def _gold(study: ComparisonStudy, segments: Sequence[int]) -> dict[Address, GoldLabel]:
    labels = GoldLabel.objects.filter(segment__in=segments).select_related("adjudication__who")
    labels = labels.at(study.version.revision) if study.version else labels.current()
    return {(label.segment_id, label.fact_id): label for label in labels.prefetch_related("references")}


def _answers(judges: Sequence[Judge], segments: Sequence[int]) -> dict[tuple[int, int, int | None], Prediction]:
    runs = [judge.run.pk for judge in judges if judge.run is not None]
    calls = Prefetch("calls", Call.objects.defer("request", "tokens"))
    predictions = Prediction.objects.filter(run__in=runs, segment__in=segments).prefetch_related(calls)
    return {(each.run_id, each.segment_id, each.fact_id): each for each in predictions}
