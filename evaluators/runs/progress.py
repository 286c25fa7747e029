"""How far a run is."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from evaluators.models import Prediction, Run, RunItem
from evaluators.runs.reasons import fallbacks_by_reason, skipped_by_reason
from llm.models import Call


@dataclass(frozen=True)
class Progress:
    """Counts of a run's items (responses) and predictions (units).

    skipped: units left out, by reason; fallbacks: units judged by another method than the run's, by reason. paid:
    answers that came from the model since the run began; cached: answers that were there before. tokens and cost_usd
    are those of both; cost_usd is None where the price of any is unknown.
    seconds: from the start to the last prediction stored, None before the first. rate: items settled a second since the
    run was last taken up, so that a pause does not count. eta: the time that the rest takes at this rate, None where
    there is no rate or nothing left.
    """

    items: int
    done: int
    failed: int
    pending: int
    leased: int
    predicted: int
    unparsed: int
    skipped: dict[str, int]
    fallbacks: dict[str, int]
    paid: int
    cached: int
    tokens: int
    cost_usd: float | None
    seconds: float | None
    rate: float | None
    eta: timedelta | None

    @property
    def share(self) -> float:
        """The share of items that are settled, from 0 to 1."""
        return (self.done + self.failed) / self.items if self.items else 0.0

    @property
    def a_minute(self) -> float | None:
        """Items settled a minute; None as for `rate`."""
        return None if self.rate is None else 60 * self.rate


def progress(run: Run) -> Progress:
    """In six small queries."""
    states = Counter(dict(run.items.order_by().values_list("state").annotate(Count("pk"))))
    unparsed = Q(unparsed=True)
    judged = run.predictions.aggregate(predicted=Count("pk", filter=~unparsed), unparsed=Count("pk", filter=unparsed))
    settled = states[RunItem.State.DONE] + states[RunItem.State.FAILED]
    left = states.total() - settled
    rate = _rate(run, settled)
    return Progress(
        items=states.total(),
        done=states[RunItem.State.DONE],
        failed=states[RunItem.State.FAILED],
        pending=states[RunItem.State.PENDING],
        leased=states[RunItem.State.LEASED],
        predicted=judged["predicted"],
        unparsed=judged["unparsed"],
        skipped=dict(skipped_by_reason([run])[run.pk].most_common()),
        fallbacks=dict(fallbacks_by_reason([run])[run.pk].most_common()),
        **_calls(run),
        seconds=_seconds(run.started_at, run.last_prediction_at),
        rate=rate,
        eta=timedelta(seconds=left / rate) if rate and left and run.state in Run.ACTIVE else None,
    )


def _rate(run: Run, settled: int) -> float | None:
    seconds, items = _seconds(run.taken_up_at, run.last_prediction_at), settled - run.settled_before
    return items / seconds if seconds and seconds > 0 and items > 0 else None


def _seconds(start: datetime | None, end: datetime | None) -> float | None:
    return None if start is None or end is None else (end - start).total_seconds()


def _calls(run: Run) -> dict[str, Any]:
    links = Prediction.calls.through._default_manager.filter(prediction__run=run)
    since = Q(created_at__gte=run.started_at or timezone.now())
    totals = Call.objects.filter(pk__in=links.values("call")).aggregate(
        answers=Count("pk"),
        paid=Count("pk", filter=since),
        unpriced=Count("pk", filter=Q(cost_usd__isnull=True)),
        cost=Sum("cost_usd"),
        tokens=Sum(Coalesce("prompt_tokens", 0) + Coalesce("completion_tokens", 0)),
    )
    return {
        "paid": totals["paid"],
        "cached": totals["answers"] - totals["paid"],
        "tokens": totals["tokens"] or 0,
        "cost_usd": None if totals["unpriced"] else float(totals["cost"] or 0),
    }
