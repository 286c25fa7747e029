"""The history of gold at an address: the judgements behind it, and every decision since."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.cases.addresses import Address
from annotate.judgements.units import LabelUnit, ResponseReading
from annotate.models import GoldLabel, Label


@dataclass(frozen=True)
class UnitHistory:
    """A unit with its gold in force (None: none), what that superseded (latest first), and its labels once closed."""

    unit: LabelUnit
    gold: GoldLabel | None
    before: tuple[GoldLabel, ...]
    labels: tuple[Label, ...]

    @property
    def is_judged(self) -> bool:
        """Whether the unit has any judgement to show."""
        return bool(self.gold or self.before or self.labels)


@dataclass(frozen=True)
class SettledSentence:
    whole: UnitHistory
    facts: tuple[UnitHistory, ...]

    @property
    def is_judged(self) -> bool:
        return any(settled.is_judged for settled in (self.whole, *self.facts))


def gold_at(segment: int, fact: int | None) -> list[GoldLabel]:
    """All gold there ever was at the address, the latest first."""
    gold = GoldLabel.objects.filter(segment=segment, fact=fact).order_by("-revision")
    return list(gold.select_related("adjudication__who").prefetch_related("references"))


def with_gold(reading: ResponseReading) -> list[SettledSentence]:
    """The sentences of a response in order."""
    gold: defaultdict[Address, list[GoldLabel]] = defaultdict(list)
    every = GoldLabel.objects.filter(segment__response=reading.response).order_by("-revision")
    for label in every.select_related("adjudication__who").prefetch_related("references"):
        gold[label.segment_id, label.fact_id].append(label)
    labels = _labels_once_closed(reading)

    def settled(unit: LabelUnit) -> UnitHistory:
        address = (unit.segment.pk, unit.fact.pk if unit.fact else None)
        every: Sequence[GoldLabel] = gold[address]
        current = next((label for label in every if label.superseded is None), None)
        return UnitHistory(
            unit, current, tuple(label for label in every if label is not current), tuple(labels[address])
        )

    return [
        SettledSentence(settled(sentence.whole), tuple(settled(unit) for unit in sentence.facts))
        for sentence in reading.sentences
    ]


def _labels_once_closed(reading: ResponseReading) -> defaultdict[Address, list[Label]]:
    labels: defaultdict[Address, list[Label]] = defaultdict(list)
    closed = Label.objects.filter(segment__response=reading.response, assignment__task__closed_at__isnull=False)
    for label in closed.in_force().select_related("assignment__annotator").order_by("assignment__place"):
        labels[label.segment_id, label.fact_id].append(label)
    return labels
