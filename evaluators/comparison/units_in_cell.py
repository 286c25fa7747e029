"""The confusion table of an evaluator, and the units in a cell of it, in their order on the page."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Q
from django.http import QueryDict

from annotate.models import AtomicFact, Response, Segment
from evaluators.comparison.figures import decisions_of, level_in
from evaluators.comparison.judges import Judge
from evaluators.comparison.levels import judged_in_relevant, responses_by_level
from evaluators.comparison.page_state import ANSWERS, TRUTHS, ComparisonState
from evaluators.comparison.study import ComparisonStudy
from stats.arrays import Flags, Floats, Ints
from stats.detection import CORRECT, ERROR, MISSING, UNPARSED, Decisions, Level
from stats.gold_table import GoldTable

DECISION_CODES = {"error": ERROR, "correct": CORRECT, "unparsed": UNPARSED, "missing": MISSING}
ORDERS = {
    "reading": "In reading order",
    "wrong": "Most evaluators wrong first",
    "sure": "Surest mistakes first",
}


@dataclass(frozen=True)
class ConfusionTable:
    """rows: for each of ANSWERS the counts of units that are an error and correct in gold, of the last of `runs`."""

    evaluator: str
    slice: str
    runs: int
    rows: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def n(self) -> int:
        return sum(sum(counts) for _, counts in self.rows)


def confusion_of(study: ComparisonStudy, state: ComparisonState, judge: Judge, slice: str) -> ConfusionTable:
    """Over all ticked units where `slice` is "", else over those of that slice."""
    level = level_in(study.table, state.question, state.by)
    inside, decisions = in_slice(level, slice), decisions_of(study.table, judge, level.name)
    rows = tuple(
        (name, tuple(count(level.gold, decisions, inside, truth, name) for truth in TRUTHS)) for name in ANSWERS
    )
    return ConfusionTable(judge.name, slice, len(judge.runs), rows)


def in_slice(level: Level, slice: str) -> Flags:
    if not slice:
        return np.ones(len(level.gold), dtype=np.bool_)
    inside: Flags = level.slice == level.slices.index(slice)
    return inside


def count(gold: Decisions, decisions: Decisions, inside: Flags, truth: str, answer: str) -> int:
    return int(np.sum(inside & (gold == DECISION_CODES[truth]) & (decisions == DECISION_CODES[answer])))


@dataclass(frozen=True)
class ConfusionCell:
    """of: the evaluator whose cell it is, "" for the units of every cell; truth, answer: of TRUTHS and ANSWERS, "" for
    any; slice: "" for all that is ticked; domain, text: narrow further."""

    of: str
    truth: str
    answer: str
    slice: str
    domain: str
    text: str
    order: str


def read_cell(query: QueryDict) -> ConfusionCell:
    def known(key: str, values: Sequence[str]) -> str:
        wanted = query.get(key, "")
        return wanted if wanted in values else ""

    return ConfusionCell(
        of=query.get("of", ""),
        truth=known("truth", TRUTHS),
        answer=known("said", ANSWERS),
        slice=query.get("at", ""),
        domain=query.get("domain", ""),
        text=query.get("q", "").strip(),
        order=known("sort", list(ORDERS)) or "reading",
    )


def units_in_cell(study: ComparisonStudy, state: ComparisonState, cell: ConfusionCell, judges: Sequence[Judge]) -> Ints:
    """The numbers of the units at the chosen level, in order; `judges` are those whose mistakes count for it."""
    level = level_in(study.table, state.question, state.by)
    inside = in_slice(level, cell.slice) & (level.gold != MISSING)
    if cell.truth:
        inside &= level.gold == DECISION_CODES[cell.truth]
    owner = next((judge for judge in judges if judge.name == cell.of), None)
    if owner is not None and cell.answer:
        inside &= decisions_of(study.table, owner, level.name) == DECISION_CODES[cell.answer]
    inside &= narrowed(study, level.name, cell.domain, cell.text)
    units = np.flatnonzero(inside)
    if cell.order == "wrong":
        wrong = sum((_wrong(level.gold, decisions_of(study.table, judge, level.name)) for judge in judges), np.zeros(1))
        return _first_largest(units, np.broadcast_to(wrong, level.gold.shape))
    if cell.order == "sure" and owner is not None:
        return _first_largest(units, _sureness(study, state.level, owner))
    return units


def _wrong(gold: Decisions, decisions: Decisions) -> Floats:
    """1 where the answer is the opposite of gold: an unparsed or missing answer is no mistake."""
    wrong: Flags = (gold == ERROR) & (decisions == CORRECT) | (gold == CORRECT) & (decisions == ERROR)
    return wrong.astype(np.float64)


def _sureness(study: ComparisonStudy, level: str, judge: Judge) -> Floats:
    """The distance of the score from even; 0 where there is none. A whole has that of its parts'
    largest."""
    table = study.table
    parts = judged_in_relevant(table)
    of_parts: Floats = np.nan_to_num(np.abs(judge.predictions.scores[parts] - 0.5))
    if level == ("fact" if table.of_facts else "segment"):
        return of_parts
    whole = table.response_of_unit if level == "response" else table.units.segment
    largest = np.zeros(len(responses_by_level(table)[level]))
    np.maximum.at(largest, whole[parts], of_parts)
    return largest


def _first_largest(units: Ints, values: Floats) -> Ints:
    """Sorted by value, falling; equals stay in reading order."""
    return units[np.argsort(-values[units], kind="stable")]


def narrowed(study: ComparisonStudy, level: str, domain: str, text: str) -> Flags:
    """Which units of the level are of the domain and have the text; "" narrows nothing."""
    response = responses_by_level(study.table)[level]
    inside = np.ones(len(response), dtype=np.bool_)
    if domain:
        inside &= study.table.prompts.domain[study.table.responses.prompt[response]] == domain
    if text:
        inside &= _with_text(study, level, text)
    return inside


def _with_text(study: ComparisonStudy, level: str, text: str) -> Flags:
    """Which units of the level have the text in them, in their response's prompt, or in its name."""
    of_response = Q(prompt__text__icontains=text) | Q(index__icontains=text)
    responses = Response.objects.filter(of_response, dataset=study.dataset).values_list("pk", flat=True)
    in_responses = np.isin(study.table.responses.key, list(responses))
    named: Flags = in_responses[responses_by_level(study.table)[level]]
    segments = Segment.objects.filter(response__dataset=study.dataset, text__icontains=text)
    in_segments = np.isin(study.table.segments.key, list(segments.values_list("pk", flat=True)))
    if level == "fact":
        facts = AtomicFact.objects.filter(segment__response__dataset=study.dataset, text__icontains=text)
        units = study.table.units.fact[judged_in_relevant(study.table)]
        return named | np.isin(units, list(facts.values_list("pk", flat=True)))
    if level == "response":
        within = np.zeros(len(study.table.responses.key), dtype=np.bool_)
        within[study.table.segments.response[in_segments]] = True
        return named | within
    return named | in_segments


def keys_of(table: GoldTable, level: str) -> Ints:
    """The primary keys of the level's units: of facts, segments or responses."""
    if level == "fact":
        return table.units.fact[judged_in_relevant(table)]
    return table.responses.key if level == "response" else table.segments.key
