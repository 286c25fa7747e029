"""What the runs of a comparison cost."""

from collections.abc import Iterable

from django.core.cache import cache

from evaluators.comparison.study import SECONDS_KEPT, run_state
from evaluators.models import Evaluator, Run
from evaluators.runs.listing import spent_by

NOT_KNOWN = "not known"


def prices_of(runs: Iterable[Run]) -> dict[int, float | None]:
    """In US dollars by the run's key. None: it ran elsewhere, or the price of one of its calls is not known.

    Kept until the run says more: its calls are many, and a finished run makes no more of them.
    """
    known = {f"price-{run_state(run)}": run for run in runs}
    kept = cache.get_many(known)
    missing = {key: run for key, run in known.items() if key not in kept}
    if missing:
        spent = spent_by([run for run in missing.values() if run.evaluator.method != Evaluator.IMPORTED])
        found = {key: spent[run.pk].cost_usd if run.pk in spent else None for key, run in missing.items()}
        new = {key: NOT_KNOWN if price is None else price for key, price in found.items()}
        cache.set_many(new, SECONDS_KEPT)
        kept |= new
    return {run.pk: None if kept[key] == NOT_KNOWN else kept[key] for key, run in known.items()}
