"""Reads what each evaluator's answers cost, unit by unit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.gold.read import CHUNK
from evaluators.comparison.judges import Judge
from evaluators.methods import METHODS
from evaluators.models import Prediction
from stats.arrays import Floats
from stats.ensembles import Answers
from stats.gold_table import GoldTable

DOLLARS, TOKENS = "usd", "tokens"
CURRENCIES = {DOLLARS: "US dollars", TOKENS: "Tokens"}
THOUSAND = 1000


@dataclass(frozen=True)
class Bills:
    """answers: of each judge, in their order. amounts: of each call, nan where it is not known. unknown: the keys of
    the runs that have no known price, typed in or not."""

    answers: tuple[Answers, ...]
    amounts: Floats
    unknown: frozenset[int]


def read_bills(judges: Sequence[Judge], table: GoldTable, currency: str, typed: Mapping[int, float]) -> Bills:
    """typed: by a run's key what somebody says a thousand units cost; used where the stored answers do not tell."""
    keys = (table.units.fact if table.of_facts else table.segments.key).tolist()
    row_of = {key: row for row, key in enumerate(keys)}
    places: dict[int, int] = {}
    amounts: list[float] = []
    answers: list[Answers] = []
    unknown: set[int] = set()
    for judge in judges:
        unit, call = [], []
        for key, number, amount in _answers_of(judge, table.of_facts, currency):
            if key in row_of:
                place = places.setdefault(number, len(places))
                if place == len(amounts):
                    amounts.append(np.nan if amount is None else amount)
                unit.append(row_of[key])
                call.append(place)
        flat = 0.0 if _costs_nothing_more(judge) else np.nan
        if judge.run is not None and (np.isnan(flat) or any(np.isnan(amounts[place]) for place in call)):
            unknown.add(judge.run.pk)
            unit, call, flat = [], [], typed.get(judge.run.pk, np.nan) / THOUSAND
        answers.append(Answers(np.array(unit, dtype=np.int64), np.array(call, dtype=np.int64), flat))
    return Bills(tuple(answers), np.array(amounts, dtype=np.float64), frozenset(unknown))


def _costs_nothing_more(judge: Judge) -> bool:
    """Whether the stored calls are all that it took: not known of what ran elsewhere."""
    return judge.run is None or judge.method in METHODS


def _answers_of(judge: Judge, of_facts: bool, currency: str) -> Iterator[tuple[int | None, int, float | None]]:
    """(unit's key, call's key, amount) of each answer that a prediction was read from."""
    if judge.run is None:
        return
    links = Prediction.calls.through._default_manager.filter(prediction__run=judge.run)
    unit = "prediction__fact" if of_facts else "prediction__segment"
    columns = (unit, "call", "call__prompt_tokens", "call__completion_tokens", "call__cost_usd")
    for key, call, asked, answered, cost in links.values_list(*columns).iterator(CHUNK):
        known = None if asked is None or answered is None else asked + answered
        amount = cost if currency == DOLLARS else known
        yield key, call, None if amount is None else float(amount)
