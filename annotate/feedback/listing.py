"""Challenges as an adjudicator reads them: what their author said, gold as it is, and what was decided since."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from annotate.feedback.revised import Revised, Since, revised
from annotate.models import Challenge, Label


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
    def where(self) -> str:
        """The page to decide anew on: that of the whole sentence where gold is of it."""
        said, gold = self.challenge, self.since.gold
        dataset = said.assignment.task.dataset_id
        if said.fact_id is None or (gold is not None and gold.fact_id is None):
            return reverse("adjudicate-segment", args=[dataset, said.segment_id])
        return reverse("adjudicate-fact", args=[dataset, said.segment_id, said.fact_id])


def rows_of(challenges: Sequence[Challenge]) -> list[ChallengeRow]:
    """A row for each, in three queries for all of them."""
    segments = {each.segment_id for each in challenges}
    said = Label.objects.filter(assignment__in={each.assignment_id for each in challenges}, segment__in=segments)
    labels = {(each.assignment_id, each.segment_id, each.fact_id): each for each in said.in_force()}
    return [
        ChallengeRow(each, labels.get((each.assignment_id, each.segment_id, each.fact_id)), since)
        for each, since in zip(challenges, revised(challenges), strict=True)
    ]
