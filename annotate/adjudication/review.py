"""A response as its reviewer reads it: every unit with its labels and its gold, and the signatures."""

from collections import defaultdict
from dataclasses import dataclass

from annotate.adjudication.adjudication_case import comments_on
from annotate.adjudication.whole import EditedSentence, RemovalStatus, edited_sentences, is_labelled, removal_status_of
from annotate.cases.addresses import Address, AddressStatus, cases_of
from annotate.cases.open_wholes import OpenWhole
from annotate.cases.order import in_review_order
from annotate.cases.signatures import last_decided, levels_of
from annotate.judgements.units import LabelUnit, read
from annotate.models import Assignment, GoldLabel, Label, Response, Signature, Task


@dataclass(frozen=True)
class ReviewedUnit:
    """`standing` is None once the unit has gold, or while there is nothing to settle at it."""

    unit: LabelUnit
    labels: tuple[Label, ...]
    gold: GoldLabel | None
    standing: AddressStatus | None

    @property
    def flagged(self) -> bool:
        return any(label.flagged for label in self.labels)


@dataclass(frozen=True)
class Review:
    """The next level to sign is "" once all are signed; `comments` are the annotators' to the adjudicator; `seen` is
    what had been decided when it was read (`last_decided`)."""

    response: Response
    units: tuple[ReviewedUnit, ...]
    edits: list[EditedSentence]
    whole: RemovalStatus
    signatures: dict[str, Signature]
    next_level: str
    comments: tuple[str, ...]
    labelled: bool
    seen: str

    @property
    def known(self) -> bool:
        """It has known answers: nobody signs for it, and its labels become no gold."""
        return self.response.task is not None and self.response.task.kind != Task.Kind.WORK

    @property
    def disputed(self) -> int:
        return sum(each.standing in (AddressStatus.DISPUTED, AddressStatus.UNJUDGED) for each in self.units)

    @property
    def open_whole(self) -> OpenWhole:
        """The open parts of its sentences and of the whole."""
        unsettled = [each.agreed for each in self.edits if each.gold is None]
        return OpenWhole(self.response, unsettled.count(False), unsettled.count(True), doubted=self.whole.disputed)

    @property
    def may_be_signed(self) -> bool:
        """A signature is asked for, and nothing stands in its way."""
        done = self.labelled and not self.known
        return bool(done and self.next_level and not self.disputed and not self.open_whole.needs_a_person)

    @property
    def unanimous(self) -> int:
        return sum(each.standing == AddressStatus.UNANIMOUS for each in self.units)


def review(response: Response) -> Review:
    """Labels stand in an order drawn once and for all by the response: it tells nothing of their authors."""
    seen = last_decided(response)  # before anything else: what comes after it is shown, or refused
    signatures = response.signatures_in_force()
    levels = levels_of(response.dataset)
    return Review(
        response=response,
        units=tuple(_units(response)),
        edits=edited_sentences(response),
        whole=removal_status_of(response),
        signatures=signatures,
        next_level=next((level.value for level in levels if level not in signatures), ""),
        comments=tuple(comments_on(response.task_id)),
        labelled=is_labelled(response),
        seen=seen,
    )


def _units(response: Response) -> list[ReviewedUnit]:
    labels = _labels(response)
    current = GoldLabel.objects.current().filter(segment__response=response)
    gold = {
        (each.segment_id, each.fact_id): each
        for each in current.select_related("adjudication__who").prefetch_related("references")
    }
    tasks = Task.objects.filter(responses=response)
    standings = {case.address: case.standing for case in cases_of(response.dataset, tasks)}
    units = []
    for sentence in read(response.dataset, [response])[0].sentences:
        for unit in (sentence.whole, *sentence.facts):
            address = (unit.segment.pk, unit.fact.pk if unit.fact else None)
            units.append(ReviewedUnit(unit, tuple(labels[address]), gold.get(address), standings.get(address)))
    return units


def _labels(response: Response) -> dict[Address, list[Label]]:
    labels = Label.objects.real().filter(segment__response=response, assignment__state=Assignment.State.SUBMITTED)
    by_place = labels.order_by("assignment__place").values_list("assignment", flat=True).distinct()
    places = in_review_order(by_place, response.pk)
    by_address: dict[Address, list[Label]] = defaultdict(list)
    for label in sorted(
        labels.in_force().prefetch_related("references"), key=lambda each: places.index(each.assignment_id)
    ):
        by_address[label.segment_id, label.fact_id].append(label)
    return by_address
