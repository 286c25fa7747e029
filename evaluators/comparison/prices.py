"""What the runs of a comparison cost."""

from collections.abc import Iterable

from evaluators.comparison.judges import TRIVIAL, Judge
from evaluators.models import Evaluator
from evaluators.runs.listing import spent_by


def prices_of(judges: Iterable[Judge]) -> dict[str, float | None]:
    """In US dollars by the evaluator's name. None: it ran elsewhere, or the price of one of its calls is not known.

    A trivial baseline costs nothing, whether or not somebody ran it.
    """
    judges = list(judges)
    spent = spent_by([judge.run for judge in judges if judge.run is not None])
    prices: dict[str, float | None] = {}
    for judge in judges:
        if judge.run is None or judge.method in TRIVIAL:
            prices[judge.name] = 0.0
        elif judge.method == Evaluator.IMPORTED:
            prices[judge.name] = None
        else:
            prices[judge.name] = spent[judge.run.pk].cost_usd
    return prices
