"""Units as they are read: in their response, with gold, its evidence, and the answer of each evaluator."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Prefetch

from annotate.corpus.highlight import HighlightPiece, pieces
from annotate.models import AtomicFact, GoldLabel, ReferenceLink, Response, Segment
from evaluators.comparison.figures import decisions_of
from evaluators.comparison.judges import Judge
from evaluators.comparison.levels import gold_levels, judged_in_relevant
from evaluators.comparison.study import ComparisonStudy
from evaluators.comparison.units_in_cell import keys_of
from evaluators.models import Prediction
from llm.models import Call
from stats.arrays import Ints
from stats.detection import CORRECT, ERROR, UNPARSED

Address = tuple[int, int | None]

# Characters of a unit in a line of a list, and of the text around it.
EXCERPT, AROUND = 240, 80
VALUES = {CORRECT: "supported", ERROR: "not_supported"}


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
class UnitExcerpt:
    """The text of a unit with what stands around it, short enough for a line of a list. A fact stands with its
    sentence after it."""

    before: str
    text: str
    after: str


@dataclass(frozen=True)
class UnitVote:
    """The verdict of an evaluator at a whole unit: "supported", "not_supported", or None where it has none, and then
    `none` says why: "unparsed" or "missing". is_right: None where there is no verdict."""

    evaluator: str
    value: str | None
    none: str
    is_right: bool | None


@dataclass(frozen=True)
class UnitDetail:
    """A unit of the level: a part of its response, or the whole of it.

    `level`: of the unit. `marked`: the keys of its segments, none where it is the whole. `gold`: its value, as of a
    vote. `votes`: of all evaluators; `named`: of those that a list names.
    """

    level: str
    response: Response
    text: Sequence[HighlightPiece]
    marked: frozenset[int]
    parts: Sequence[UnitPart]
    gold: str | None
    votes: Sequence[UnitVote]
    named: Sequence[UnitVote]

    @property
    def wrong(self) -> int:
        """How many evaluators contradict gold."""
        return sum(vote.is_right is False for vote in self.votes)

    @property
    def excerpt(self) -> UnitExcerpt:
        if self.level == "fact":
            return UnitExcerpt("", self.parts[0].text, self.parts[0].segment.text[:EXCERPT])
        marked = [piece.segment is not None and piece.segment.pk in self.marked for piece in self.text]
        places = [place for place, is_marked in enumerate(marked) if is_marked]
        if not places:
            return UnitExcerpt("", "", self.response.text[:EXCERPT])
        first, last = places[0], places[-1]
        before, inside, after = (
            "".join(piece.text for piece in pieces_of)
            for pieces_of in (self.text[:first], self.text[first : last + 1], self.text[last + 1 :])
        )
        return UnitExcerpt(before[-AROUND:], inside[:EXCERPT], after[:AROUND])


def unit_details(
    study: ComparisonStudy, level: str, units: Ints, judges: Sequence[Judge], named: Collection[str] = ()
) -> list[UnitDetail]:
    """The units of these numbers, in this order: a handful of queries however many they are.

    named: the evaluators whose votes a list names. A baseline without a run has votes and no predictions.
    """
    golds = next(each.gold for each in gold_levels(study.table) if each.name == level)
    decisions = {judge.name: decisions_of(study.table, judge, level) for judge in judges}
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
        text = pieces(response.text, list(by_key.values()))
        votes = [_vote(name, int(each[unit]), int(golds[unit])) for name, each in decisions.items()]
        shown = [vote for vote in votes if vote.evaluator in named]
        details.append(UnitDetail(level, response, text, marked, parts, VALUES.get(int(golds[unit])), votes, shown))
    return details


def _vote(evaluator: str, decision: int, gold: int) -> UnitVote:
    value = VALUES.get(decision)
    return UnitVote(
        evaluator,
        value,
        none="unparsed" if decision == UNPARSED else "missing",
        is_right=None if value is None or gold not in VALUES else decision == gold,
    )


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
