"""The progress of a run."""

from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from evaluators.models import Run, RunItem
from evaluators.runs.item_calls import answers_given
from evaluators.runs.listing import spent_elsewhere
from evaluators.runs.reasons import fallbacks_by_reason, skipped_by_reason
from jobs.progress import JobProgress, counts_of
from llm.answer import CUT_OFF, REFUSED
from llm.models import Call
from llm.price import Part, in_order, unpriced_of


@dataclass(frozen=True)
class RunProgress(JobProgress):
    """Counts of a run's items (responses) and predictions (units; of an editor's run its edits). rate: items settled a
    second since the run was last taken up, so that a pause does not count; None before the first prediction.

    Of the units without a decision, refused: the model or its filter would not answer; cut_off: the answer, or the
    thought before it, ended at the longest answer; unparsed: the others, whose answer could not be read.
    all_failed: domains in which every response failed. skipped: units left out, by reason; fallbacks: units judged by
    another method than the run's, by reason. paid: answers that came from the model since the run began; cached:
    answers that were there before. tokens and known_usd are those of both, the price with the searches of the web and
    of the parts whose price is known; unpriced: the other parts (llm.price.Part). served: the answers whose price the
    server named.
    seconds: from the start to the last prediction stored, None before the first.
    """

    predicted: int
    unparsed: int
    refused: int
    cut_off: int
    all_failed: tuple[str, ...]
    skipped: dict[str, int]
    fallbacks: dict[str, int]
    paid: int
    cached: int
    tokens: int
    known_usd: float
    unpriced: tuple[str, ...]
    served: int
    seconds: float | None

    @property
    def answers(self) -> int:
        return self.paid + self.cached

    @property
    def cost_usd(self) -> float | None:
        """None where the price of a part is unknown."""
        return None if self.unpriced else self.known_usd

    @property
    def unsettled(self) -> int:
        return self.total - self.settled

    @property
    def a_minute(self) -> float | None:
        """Items settled a minute; None as for `rate`."""
        return None if self.rate is None else 60 * self.rate


def progress_of(run: Run) -> RunProgress:
    """In a handful of small queries."""
    counts = counts_of(run)
    outcomes, unparsed = (
        (run.sentence_edits, Q(text__isnull=True)) if run.edits else (run.predictions, Q(unparsed=True))
    )
    judged = outcomes.aggregate(predicted=Count("pk", filter=~unparsed), unparsed=Count("pk", filter=unparsed))
    without: dict[str, Any] = (
        without_answer(outcomes.filter(unparsed)) if judged["unparsed"] else {"refused": 0, "cut_off": 0}
    )
    judged["unparsed"] -= sum(without.values())
    counts["rate"] = _rate(run, counts["done"] + counts["failed"])
    return RunProgress(
        **counts,
        **judged,
        **without,
        all_failed=_all_failed(run) if counts["failed"] else (),
        skipped=dict(skipped_by_reason([run])[run.pk].most_common()),
        fallbacks=dict(fallbacks_by_reason([run])[run.pk].most_common()),
        **_calls(run),
        seconds=_seconds(run.started_at, run.last_prediction_at),
    )


def without_answer(undecided: QuerySet[Any]) -> dict[str, Any]:
    """Of units without a decision, those that a refused answer belongs to, and of the others a cut off one."""

    def citing(reason: str) -> Exists:
        return Exists(undecided.model.objects.filter(pk=OuterRef("pk"), calls__finish_reason=reason))

    return undecided.aggregate(
        refused=Count("pk", filter=citing(REFUSED)), cut_off=Count("pk", filter=citing(CUT_OFF) & ~citing(REFUSED))
    )


def _all_failed(run: Run) -> tuple[str, ...]:
    """The domains without a response that is done or under way, in alphabetical order."""
    domains = run.items.exclude(response__prompt__domain="").values("response__prompt__domain")
    failed = Count("pk", filter=Q(state=RunItem.State.FAILED))
    rows = domains.annotate(total=Count("pk"), failed=failed).filter(total=F("failed"))
    return tuple(rows.order_by("response__prompt__domain").values_list("response__prompt__domain", flat=True))


def _rate(run: Run, settled: int) -> float | None:
    seconds, items = _seconds(run.taken_up_at, run.last_prediction_at), settled - run.settled_before
    return items / seconds if seconds and seconds > 0 and items > 0 else None


def _seconds(start: datetime | None, end: datetime | None) -> float | None:
    return None if start is None or end is None else (end - start).total_seconds()


def paid_since(run: Run) -> datetime:
    """Answers from then on came from the model in the run's time; those before were in the cache."""
    return run.started_at or timezone.now()


def _calls(run: Run) -> dict[str, Any]:
    if (elsewhere := spent_elsewhere(run)) is not None:
        return {"paid": 0, "cached": 0, "served": 0, **asdict(elsewhere)}
    since = Q(created_at__gte=paid_since(run))
    rows = (
        Call.objects.filter(pk__in=answers_given([run], "calls"))
        .order_by()
        .values(is_unpriced=Q(cost_usd__isnull=True), parts=F("unpriced"))
        .annotate(
            answers=Count("pk"),
            paid=Count("pk", filter=since),
            served=Count("served_usd"),
            known=Sum(Coalesce("cost_usd", "known_usd", Decimal(0))),
            tokens=Sum(Coalesce("prompt_tokens", 0) + Coalesce("completion_tokens", 0)),
        )
    )
    totals = {name: sum(row[name] for row in rows) for name in ("answers", "paid", "served", "known", "tokens")}
    unpriced = [unpriced_of(row["parts"]) for row in rows if row["is_unpriced"]]
    searches = run.searches.aggregate(unpriced=Count("pk", filter=Q(cost_usd__isnull=True)), cost=Sum("cost_usd"))
    if searches["unpriced"]:
        unpriced.append((Part.SEARCHES,))
    return {
        "paid": totals["paid"],
        "cached": totals["answers"] - totals["paid"],
        "served": totals["served"],
        "tokens": totals["tokens"],
        "known_usd": float(totals["known"] + (searches["cost"] or 0)),
        "unpriced": in_order(unpriced),
    }
