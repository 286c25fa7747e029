"""The units behind a cell of a confusion table: which they are, and in which order they are shown."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Q
from django.http import QueryDict

from annotate.models import AtomicFact, Response, Segment
from evaluators.comparison.confusion import CODE, in_slice
from evaluators.comparison.figures import decisions_of, level_in
from evaluators.comparison.judges import Judge
from evaluators.comparison.levels import judged_in_relevant, responses_by_level
from evaluators.comparison.page_state import SAID, TRUTHS, Chosen
from evaluators.comparison.study import Study
from stats.arrays import Flags, Floats, Ints
from stats.detection import CORRECT, ERROR, MISSING, Decisions
from stats.gold_table import GoldTable

ORDERS = {
    "reading": "In reading order",
    "wrong": "Most evaluators wrong first",
    "sure": "Surest mistakes first",
}


@dataclass(frozen=True)
class Cell:
    """Which units are asked for. of: the evaluator whose cell it is, "" where any said whatever; truth, said: of TRUTHS
    and SAID, "" for any; slice: "" for all that is ticked; domain, text: narrow further."""

    of: str
    truth: str
    said: str
    slice: str
    domain: str
    text: str
    order: str


def read_cell(query: QueryDict) -> Cell:
    def known(key: str, values: Sequence[str]) -> str:
        wanted = query.get(key, "")
        return wanted if wanted in values else ""

    return Cell(
        of=query.get("of", ""),
        truth=known("truth", TRUTHS),
        said=known("said", SAID),
        slice=query.get("at", ""),
        domain=query.get("domain", ""),
        text=query.get("q", "").strip(),
        order=known("sort", list(ORDERS)) or "reading",
    )


def units_behind(study: Study, chosen: Chosen, cell: Cell, judges: Sequence[Judge]) -> Ints:
    """The numbers of the units at the chosen level, in order; `judges` are those whose mistakes count for it."""
    level = level_in(study.table, chosen.question, chosen.by)
    inside = in_slice(level, cell.slice) & (level.gold != MISSING)
    if cell.truth:
        inside &= level.gold == CODE[cell.truth]
    owner = next((judge for judge in judges if judge.name == cell.of), None)
    if owner is not None and cell.said:
        inside &= decisions_of(study.table, owner, level.name) == CODE[cell.said]
    if cell.domain:
        response = responses_by_level(study.table)[level.name]
        inside &= study.table.prompts.domain[study.table.responses.prompt[response]] == cell.domain
    if cell.text:
        inside &= _with_text(study, chosen.level, cell.text)
    found = np.flatnonzero(inside)
    if cell.order == "wrong":
        wrong = sum((_wrong(level.gold, decisions_of(study.table, judge, level.name)) for judge in judges), np.zeros(1))
        return _first_largest(found, np.broadcast_to(wrong, level.gold.shape))
    if cell.order == "sure" and owner is not None:
        return _first_largest(found, _sureness(study, chosen.level, owner))
    return found


def _wrong(gold: Decisions, said: Decisions) -> Floats:
    """1 where it said the opposite of gold: what is unparsed or missing is no mistake."""
    wrong: Flags = (gold == ERROR) & (said == CORRECT) | (gold == CORRECT) & (said == ERROR)
    return wrong.astype(np.float64)


def _sureness(study: Study, level: str, judge: Judge) -> Floats:
    """How far the score is from even, in whatever direction; 0 where there is none. A whole has that of its parts'
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


def _first_largest(found: Ints, values: Floats) -> Ints:
    """Sorted by value, falling; equals stay in reading order."""
    return found[np.argsort(-values[found], kind="stable")]


def _with_text(study: Study, level: str, text: str) -> Flags:
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
