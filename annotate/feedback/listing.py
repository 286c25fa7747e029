"""Challenges as an adjudicator reads them: the author's label, the gold in force, and later decisions."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.cases.addresses import Address
from annotate.feedback.revised import Revised, Since, revised
from annotate.models import Challenge, Dataset, Label
from annotate.templatetags.cases import case_page


@dataclass(frozen=True)
class ChallengeRow:
    challenge: Challenge
    label: Label | None
    since: Since

    @property
    def changed(self) -> bool:
        """Gold says something else than when it was challenged, so that the challenge can be upheld."""
        return self.since.standing is Revised.CHANGED

    @property
    def address(self) -> Address:
        """Where to decide anew: on the whole sentence where gold is of it."""
        gold = self.since.gold
        of_sentence = gold is not None and gold.fact_id is None
        return (self.challenge.segment_id, None if of_sentence else self.challenge.fact_id)

    @property
    def where(self) -> str:
        """The page of that address."""
        dataset = self.challenge.assignment.task.dataset_id
        return case_page(dataset, *self.address)


def rows_of(challenges: Sequence[Challenge]) -> list[ChallengeRow]:
    """A row for each, in three queries for all of them."""
    segments = {each.segment_id for each in challenges}
    labels_of = Label.objects.filter(assignment__in={each.assignment_id for each in challenges}, segment__in=segments)
    labels = {(each.assignment_id, each.segment_id, each.fact_id): each for each in labels_of.in_force()}
    return [
        ChallengeRow(each, labels.get((each.assignment_id, each.segment_id, each.fact_id)), since)
        for each, since in zip(challenges, revised(challenges), strict=True)
    ]


def open_rows(dataset: Dataset) -> list[ChallengeRow]:
    """Those of the dataset's challenges that wait for an answer, the oldest first."""
    waiting = Challenge.objects.filter(assignment__task__dataset=dataset, state=Challenge.State.OPEN)
    return rows_of(list(waiting.select_related("assignment__task", "segment", "fact").order_by("created_at", "pk")))
