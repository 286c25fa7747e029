"""Second looks beside gold: the cases that are open for an adjudicator, and the others."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from annotate.cases.addresses import Address
from annotate.models import Dataset, GoldLabel, SecondLookItem, SecondLookRating, SecondLookSettlement, Value
from annotate.models.second_look import SecondLookItemQuerySet


class LookStatus(Enum):
    WAITING = "waiting"  # for somebody to look
    CONFIRMED = "confirmed"  # nobody who looked contradicts gold
    OPEN = "open"  # somebody does, and an adjudicator has not settled it
    STANDS = "stands"  # gold was upheld
    CHANGED = "changed"  # gold was changed


@dataclass(frozen=True)
class LookCase:
    """A unit with its looks. `sent`: gold when it was sent; `now`: gold in force, None where there is none any more."""

    item: SecondLookItem
    looks: tuple[SecondLookRating, ...]
    sent: GoldLabel
    now: GoldLabel | None

    @property
    def contradicting(self) -> int:
        """The number of looks that call an error correct in gold, or the other way round."""
        return sum(is_error(look.value) != is_error(self.sent.value) for look in self.looks)

    @property
    def is_answered(self) -> bool:
        return len(self.looks) >= self.item.sample.raters

    @property
    def is_contradicted(self) -> bool:
        """More than half of the looks contradict gold."""
        return self.is_answered and 2 * self.contradicting > len(self.looks)

    @property
    def status(self) -> LookStatus:
        if not self.is_answered:
            return LookStatus.WAITING
        if self.settlement is not None:
            return LookStatus.STANDS if self.settlement.adjudication_id is None else LookStatus.CHANGED
        return LookStatus.OPEN if self.contradicting else LookStatus.CONFIRMED

    @property
    def settlement(self) -> SecondLookSettlement | None:
        return getattr(self.item, "settlement", None)

    @property
    def is_revised(self) -> bool:
        """Gold has changed since the unit was sent."""
        return self.now is None or self.now.pk != self.sent.pk


def is_error(value: str) -> bool:
    return value != Value.SUPPORTED


def open_cases(dataset: Dataset) -> list[LookCase]:
    """The cases to settle, the oldest first: answered by all, contradicted by at least one look."""
    items = SecondLookItem.objects.of(dataset).visible().complete().unsettled()
    return [case for case in cases_of(items) if case.status is LookStatus.OPEN]


def settled_items(dataset: Dataset) -> SecondLookItemQuerySet:
    """The settled items, the latest settlement first."""
    return (
        SecondLookItem.objects.of(dataset).filter(settlement__isnull=False).order_by("-settlement__settled_at", "-pk")
    )


def cases_of(items: SecondLookItemQuerySet) -> list[LookCase]:
    """The items with all looks, in a handful of queries."""
    settled = items.for_page().select_related("settlement__settled_by", "settlement__adjudication__who")
    listed = list(settled.prefetch_related("ratings__rater"))
    gold = _gold_ever(listed)
    return [_case(item, gold[item.address]) for item in listed]


def _case(item: SecondLookItem, gold: Sequence[GoldLabel]) -> LookCase:
    sent = next(label for label in gold if label.in_force_at(item.sample.revision))
    now = next((label for label in gold if label.superseded is None), None)
    return LookCase(item, tuple(item.ratings.all()), sent, now)


def _gold_ever(items: Sequence[SecondLookItem]) -> dict[Address, list[GoldLabel]]:
    """All gold there ever was at the items' addresses."""
    labels: defaultdict[Address, list[GoldLabel]] = defaultdict(list)
    every = GoldLabel.objects.filter(segment__in={item.segment_id for item in items})
    for label in every.select_related("adjudication__who").prefetch_related("references"):
        labels[label.segment_id, label.fact_id].append(label)
    return labels
