"""Prices of the calls of runs: in whole, and unit by unit."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from annotate.gold.read import CHUNK
from core.caching import CACHE_SECONDS, memory
from evaluators.methods import METHODS
from evaluators.models import Evaluator, Prediction, Run
from evaluators.predictions.read import run_state
from evaluators.runs.listing import ORIGIN, Spent, spent_by
from llm.price import Part
from stats.arrays import Floats
from stats.ensembles import Answers
from stats.gold_table import GoldTable

DOLLARS, TOKENS = "usd", "tokens"
CURRENCIES = {DOLLARS: "US dollars", TOKENS: "Tokens"}
THOUSAND = 1000


def prices_of(runs: Iterable[Run]) -> dict[int, Spent]:
    """By the run's key.

    Kept until the run says more or ends once more: its calls are many, and a finished run makes no more of them.
    """
    known = {_name(run): run for run in runs}
    cached_prices = memory.get_many(known)
    missing = {key: run for key, run in known.items() if key not in cached_prices}
    if missing:
        spent = spent_by(missing.values())
        new = {key: spent[run.pk] for key, run in missing.items()}
        memory.set_many(new, CACHE_SECONDS)
        cached_prices |= new
    return {run.pk: cached_prices[key] for key, run in known.items()}


def _name(run: Run) -> str:
    """A name for the price of the run so far: a failed response costs too, and adds no prediction."""
    ended = run.finished_at.timestamp() if run.finished_at else ""
    return f"price-{run_state(run)}-{ended}-{run.manifest.get(ORIGIN, {}).get('cost_usd')}"


class RunSpending(TypedDict):
    """Tokens, price and time of a run; None where not known. cost_usd is None where a part of the price is not known:
    then known_usd is that of the others, and unpriced lists these. seconds: from the start to the last prediction."""

    tokens: int | None
    cost_usd: float | None
    known_usd: float
    unpriced: Sequence[str]
    seconds: float | None


NOTHING_KNOWN: RunSpending = {
    "tokens": None, "cost_usd": None, "known_usd": 0.0, "unpriced": [Part.CALLS], "seconds": None,
}  # fmt: skip


def describe_spending(runs: list[Run]) -> dict[int, RunSpending]:
    """Tokens, price and time of each run, by its key. Of a run that ran elsewhere nothing is known but what its log or
    whoever imported it tells."""
    spent = spent_by(runs)
    return {run.pk: _spending(run, spent[run.pk]) for run in runs}


def _spending(run: Run, spent: Spent) -> RunSpending:
    is_told_alone = run.evaluator.method == Evaluator.IMPORTED and "inspect" not in run.manifest
    return {
        "tokens": None if is_told_alone else spent.tokens,
        "cost_usd": spent.cost_usd,
        "known_usd": spent.known_usd,
        "unpriced": list(spent.unpriced),
        "seconds": None if is_told_alone else _seconds(run),
    }


def _seconds(run: Run) -> float | None:
    """Seconds from the start to the last prediction."""
    if run.started_at is None or run.last_prediction_at is None:
        return None
    return (run.last_prediction_at - run.started_at).total_seconds()


@dataclass(frozen=True)
class Bills:
    """answers: of each judge, in their order. amounts: of each call, nan where it is not known. unknown: the keys of
    the runs that have no known price, typed in or not."""

    answers: tuple[Answers, ...]
    amounts: Floats
    unknown: frozenset[int]


def read_bills(runs: Sequence[Run | None], table: GoldTable, currency: str, typed: Mapping[int, float]) -> Bills:
    """runs: of each judge, None of a baseline without a run. typed: by a run's key the typed price of a thousand
    units cost; used where the stored answers do not tell."""
    keys = (table.units.fact if table.of_facts else table.segments.key).tolist()
    row_of = {key: row for row, key in enumerate(keys)}
    places: dict[int, int] = {}
    amounts: list[float] = []
    answers: list[Answers] = []
    unknown: set[int] = set()
    for run in runs:
        unit, call = [], []
        for key, number, amount in _answers_of(run, table.of_facts, currency):
            if key in row_of:
                place = places.setdefault(number, len(places))
                if place == len(amounts):
                    amounts.append(np.nan if amount is None else amount)
                unit.append(row_of[key])
                call.append(place)
        flat = 0.0 if _costs_nothing_more(run) else np.nan
        if run is not None and (np.isnan(flat) or any(np.isnan(amounts[place]) for place in call)):
            unknown.add(run.pk)
            unit, call, flat = [], [], typed.get(run.pk, np.nan) / THOUSAND
        answers.append(Answers(np.array(unit, dtype=np.int64), np.array(call, dtype=np.int64), flat))
    return Bills(tuple(answers), np.array(amounts, dtype=np.float64), frozenset(unknown))


def _costs_nothing_more(run: Run | None) -> bool:
    """Whether the stored calls are all of its calls: not known of a run elsewhere."""
    return run is None or run.evaluator.method in METHODS


def _answers_of(run: Run | None, of_facts: bool, currency: str) -> Iterator[tuple[int | None, int, float | None]]:
    """(unit's key, call's key, amount) of each answer that a prediction was read from."""
    if run is None:
        return
    links = Prediction.calls.through._default_manager.filter(prediction__run=run)
    unit = "prediction__fact" if of_facts else "prediction__segment"
    columns = (unit, "call", "call__prompt_tokens", "call__completion_tokens", "call__cost_usd")
    for key, call, prompt_tokens, completion_tokens, cost in links.values_list(*columns).iterator(CHUNK):
        known = None if prompt_tokens is None or completion_tokens is None else prompt_tokens + completion_tokens
        amount = cost if currency == DOLLARS else known
        yield key, call, None if amount is None else float(amount)
