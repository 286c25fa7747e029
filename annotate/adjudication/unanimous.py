"""Unanimous judgements become gold in bulk, under the name of a person who looked at them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from annotate.adjudication.decide import DecisionError, check_why, supersede_sentences
from annotate.adjudication.whole import carry_over_edits
from annotate.cases.addresses import Address, AddressStatus, OpenCase, open_cases, tasks_to_settle
from annotate.cases.close import close_settled
from annotate.cases.open_wholes import OpenWhole, open_wholes
from annotate.judgements.judgement import CitedReference
from annotate.links.write import write_links
from annotate.models import (
    Adjudication,
    Assignment,
    Dataset,
    GoldLabel,
    Label,
    ReferenceLink,
    ReviewPolicy,
    Scheme,
    Segment,
    User,
)

BATCH = 500


@dataclass(frozen=True)
class Unanimous:
    """Unanimous judgements that nobody has settled, those of one annotator alone included: the addresses, and the
    responses with sentences that all correct in the same way."""

    cases: tuple[OpenCase, ...]
    corrected: tuple[OpenWhole, ...]

    @property
    def corrections(self) -> int:
        return sum(each.agreed for each in self.corrected)

    @property
    def number(self) -> int:
        return len(self.cases) + self.corrections


def unanimous_in(dataset: Dataset) -> Unanimous:
    cases = tuple(case for case in open_cases(dataset) if case.standing == AddressStatus.UNANIMOUS)
    wholes = open_wholes(tasks_to_settle(dataset))
    return Unanimous(cases, tuple(each for each in wholes if each.agreed))


@transaction.atomic
def accept_unanimous(dataset: Dataset, who: User, why: str, expected: int | None = None) -> int:
    """Make every unanimous judgement and correction gold, in one revision; return how many there were.

    The first annotator's reason goes with it, and the references of all. `expected` is the number the person was shown:
    DecisionError if it has changed since, if `why` is missing or no database can keep it, or if the dataset wants
    every response signed instead.
    """
    if dataset.review != ReviewPolicy.BULK:
        raise DecisionError("this dataset needs a signature for every response")
    why = check_why(why)
    revision = dataset.next_gold_revision()
    agreed = unanimous_in(dataset)
    if expected is not None and expected != agreed.number:
        raise DecisionError(f"there are now {agreed.number}, not {expected}: reload the page")
    if not agreed.number:
        raise DecisionError("no unanimous units")
    accept(dataset, agreed.cases, who, why, revision)
    for each in agreed.corrected:
        carry_over_edits(each.response, who, why, revision)
    close_settled(dataset, tasks_to_settle(dataset))
    return agreed.number


def accept(dataset: Dataset, cases: Sequence[OpenCase], who: User, why: str, revision: int) -> None:
    """Write these unanimous judgements as gold of the revision, under the person's name."""
    tasks = sorted({case.task for case in cases})
    if dataset.scheme == Scheme.FACTSCORE:
        _leave_out([case.segment for case in cases if case.fact is None], revision)
    write_gold(cases, labels_at(tasks), who, why, revision)


def _leave_out(sentences: Sequence[int], revision: int) -> None:
    """Mark these sentences as irrelevant as a whole: gold of their facts is not in force any more."""
    for start in range(0, len(sentences), BATCH):
        batch = sentences[start : start + BATCH]
        supersede_sentences(batch, revision)
        Segment.objects.filter(pk__in=batch).update(relevant=False)


def labels_at(tasks: Sequence[int]) -> dict[Address, list[Label]]:
    """The labels in force of these tasks, by address, in the order of places."""
    labels: dict[Address, list[Label]] = {}
    for start in range(0, len(tasks), BATCH):
        submitted = Label.objects.real().filter(
            assignment__task__in=tasks[start : start + BATCH], assignment__state=Assignment.State.SUBMITTED
        )
        for label in submitted.in_force().order_by("assignment__place").prefetch_related("references"):
            labels.setdefault((label.segment_id, label.fact_id), []).append(label)
    return labels


def write_gold(
    cases: Sequence[OpenCase],
    labels: Mapping[Address, Sequence[Label]],
    who: User,
    why: str,
    revision: int,
    source: GoldLabel.Source = GoldLabel.Source.UNANIMOUS,
) -> None:
    """The first vote of each case as gold, with what its `labels` say and cite."""
    decisions = Adjudication.objects.bulk_create(
        [Adjudication(segment_id=case.segment, fact_id=case.fact, who=who, why=why) for case in cases],
        batch_size=BATCH,
    )
    gold = GoldLabel.objects.bulk_create(
        [
            GoldLabel(
                segment_id=case.segment,
                fact_id=case.fact,
                value=case.votes[0].value,
                error_type=case.votes[0].type_that_counts,
                irrelevance=_shared_irrelevance(labels[case.address]),
                reason=next((label.reason for label in labels[case.address] if label.reason), ""),
                source=source,
                adjudication=decision,
                revision=revision,
            )
            for case, decision in zip(cases, decisions, strict=True)
        ],
        batch_size=BATCH,
    )
    write_links(
        ReferenceLink(gold=settled, position=position, **reference.columns())
        for settled in gold
        for position, reference in enumerate(_references(labels[settled.segment_id, settled.fact_id]))
    )


def _shared_irrelevance(labels: Sequence[Label]) -> str:
    """The kind of irrelevance, if all who gave one agree; "" otherwise."""
    kinds = {label.irrelevance for label in labels if label.irrelevance}
    return kinds.pop() if len(kinds) == 1 else ""


def _references(labels: Sequence[Label]) -> list[CitedReference]:
    """The references of all, each once, in order."""
    return list(dict.fromkeys(CitedReference.from_link(link) for label in labels for link in label.references.all()))
