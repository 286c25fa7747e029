"""The page's state in its link: evaluators, rules, level, slice, prices and order."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from core.numbers import read_number
from evaluators.combinations.candidates import ALONE, NOT_READ, RULES, TRIGGERS, UNSURE, CombinationSettings
from evaluators.predictions.prices import CURRENCIES, DOLLARS

# With eight there are 339 combinations; the best of ever more of them means ever less.
MOST_EVALUATORS = 8
FIRST_EVALUATORS = 5
PRICE = "price-"
ORDERS = ("f1", "balanced_accuracy", "price", "name")
VIEWS = {"all": "Every combination", "front": "The front only", "within": "Within the price limit"}
SURE = 0.8


@dataclass(frozen=True)
class NamedSlice:
    """A slice of the units: the slicing's name and title, and the slice's name."""

    slicing: str
    title: str
    name: str

    @property
    def address(self) -> str:
        return f"{self.slicing}:{self.name}"


@dataclass(frozen=True)
class CombinationsState:
    """names: the evaluators to combine. part: None for all units. limit: the most a thousand units may cost, None: no
    limit. prices: typed ones, by a run's key. order: one of ORDERS, after a minus descending. rule: one of
    RULES or ALONE to show only those rows, "" for all."""

    names: tuple[str, ...]
    settings: CombinationSettings
    level: str
    part: NamedSlice | None
    currency: str
    limit: float | None
    prices: dict[int, float]
    order: str
    view: str
    rule: str


def read_state(query: QueryDict, known: Sequence[str], parts: Mapping[str, Sequence[NamedSlice]]) -> CombinationsState:
    """A field that cannot be read keeps its default. known: the names there are, the best first. parts: by level."""
    level = _one_of(list(parts), query.get("level"))
    evaluators = tuple(name for name in dict.fromkeys(query.getlist("evaluator")) if name in known)
    chosen = "chosen" in query  # a form was sent: no box ticked means none
    rules = [rule for rule in query.getlist("rule") if rule in RULES] if chosen else list(RULES)
    triggers = [each for each in query.getlist("ask") if each in TRIGGERS] if chosen else [UNSURE, NOT_READ]
    order = query.get("sort", "-f1")
    return CombinationsState(
        names=tuple(sorted((evaluators or tuple(known[:FIRST_EVALUATORS]))[:MOST_EVALUATORS])),
        settings=CombinationSettings(
            rules=tuple(rules),
            triggers=tuple(triggers),
            sure=_number(query, "sure", SURE, most=1.0) or SURE,
            ties_are_errors=query.get("tie", "error") == "error",
        ),
        level=level,
        part=next((part for part in parts.get(level, ()) if part.address == query.get("part")), None),
        currency=_one_of(list(CURRENCIES), query.get("currency", DOLLARS)),
        limit=_number(query, "limit", None),
        prices=_prices(query),
        order=order if order.removeprefix("-") in ORDERS else "-f1",
        view=_one_of(list(VIEWS), query.get("show")),
        rule=query.get("only", "") if query.get("only", "") in (ALONE, *RULES) else "",
    )


def _one_of(known: Sequence[str], wanted: str | None) -> str:
    return wanted if wanted is not None and wanted in known else known[0]


def _number(query: Mapping[str, str], key: str, default: float | None, most: float = math.inf) -> float | None:
    try:
        number = float(query.get(key, ""))
    except ValueError:
        return default
    return number if 0 <= number <= most else default


def _prices(query: Mapping[str, str]) -> dict[int, float]:
    """Typed prices by the key of their run."""
    typed = {read_number(key.removeprefix(PRICE)): _number(query, key, None) for key in query if key.startswith(PRICE)}
    return {key: price for key, price in typed.items() if key is not None and price is not None}
