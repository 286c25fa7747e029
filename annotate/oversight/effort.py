"""Each person's work, its time and its cost."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, Sum

from annotate.models import Assignment, Dataset, Label, User
from annotate.models.corpus import visible

State = Assignment.State
CENT = Decimal("0.01")


@dataclass(frozen=True)
class Effort:
    """One person's work on a dataset; known answers count like any other work, and so does what was done on responses
    that are removed since: what is at hand, and flags to look at, are without these.

    `units` are all that they judged, `timed_units` those of `timed_seconds` in which time was measured: labels from a
    file come without. `seconds` is all time worked, submitted or not; `undercounted`: an earlier version
    counted part of it too low; `cost` is None while no rate is set.
    """

    annotator: str
    submitted: int
    at_hand: int
    lapsed: int
    skipped: int
    units: int
    flagged: int
    seconds: int
    undercounted: bool
    timed_units: int
    timed_seconds: int
    last_at: datetime | None
    cost: Decimal | None

    @property
    def seconds_per_unit(self) -> float | None:
        """None where no time was measured."""
        return self.timed_seconds / self.timed_units if self.timed_units else None

    @property
    def units_per_hour(self) -> float | None:
        return 3600 * self.timed_units / self.timed_seconds if self.timed_seconds and self.timed_units else None


def efforts_of(dataset: Dataset) -> list[Effort]:
    """The effort of everybody who holds or held a place, by name; three queries."""
    judged = _judged(dataset)
    places = {row["annotator"]: row for row in _places(dataset)}
    names = User.objects.filter(pk__in=places).order_by("username").values_list("pk", "username")
    return [
        Effort(
            annotator=name,
            submitted=row["submitted"],
            at_hand=row["at_hand"],
            lapsed=row["lapsed"],
            skipped=row["skipped"],
            units=judged.get(row["annotator"], {}).get("units", 0),
            flagged=judged.get(row["annotator"], {}).get("flagged", 0),
            seconds=row["seconds"],
            undercounted=row["undercounted"] > 0,
            timed_units=judged.get(row["annotator"], {}).get("timed", 0),
            timed_seconds=row["timed_seconds"] or 0,
            last_at=row["last_at"],
            cost=cost_of(row["seconds"], dataset.hourly_rate),
        )
        for row, name in ((places[person], name) for person, name in names)
    ]


def total(efforts: Iterable[Effort]) -> dict[str, Any]:
    """Sums over people; the cost is None while no rate is set."""
    efforts = list(efforts)
    costs = [each.cost for each in efforts if each.cost is not None]
    names = ("submitted", "at_hand", "lapsed", "skipped", "units", "flagged", "seconds")
    sums: dict[str, Any] = {name: sum(getattr(each, name) for each in efforts) for name in names}
    sums["undercounted"] = any(each.undercounted for each in efforts)
    return {**sums, "cost": sum(costs, Decimal(0)) if costs else None}


def cost_of(seconds: int, hourly_rate: Decimal | None) -> Decimal | None:
    """To the cent, halves upwards; None while no rate is set."""
    if hourly_rate is None:
        return None
    return (hourly_rate * seconds / 3600).quantize(CENT, ROUND_HALF_UP)


def _places(dataset: Dataset) -> Iterable[Mapping[str, Any]]:
    submitted = Q(state=State.SUBMITTED)
    places = Assignment.objects.of(dataset).order_by().values("annotator")
    return places.annotate(
        submitted=Count("pk", filter=submitted),
        at_hand=Count("pk", filter=Q(state__in=[State.RESERVED, State.OPEN], task__closed_at__isnull=True)),
        lapsed=Count("pk", filter=Q(state=State.LAPSED)),
        skipped=Count("pk", filter=Q(state=State.SKIPPED)),
        seconds=Sum("active_seconds"),
        undercounted=Count("pk", filter=Q(undercounted=True)),
        timed_seconds=Sum("active_seconds", filter=submitted),
        last_at=Max("submitted_at"),
    )


def _judged(dataset: Dataset) -> dict[int, Mapping[str, Any]]:
    """By annotator, in one walk through the labels. A unit counts once, however often its judgement was revised."""
    first = Q(revision=0, assignment__state=State.SUBMITTED)
    in_force = Label.objects.filter(pk=OuterRef("pk")).in_force()
    rows = Label.objects.of(dataset).order_by().values("assignment__annotator")
    counted = rows.annotate(
        units=Count("pk", filter=first),
        timed=Count("pk", filter=first & Q(assignment__active_seconds__gt=0)),
        flagged=Count("pk", filter=Q(Exists(in_force), visible("segment__response__"), flagged=True)),
    )
    return {row["assignment__annotator"]: row for row in counted}
