"""Challenges as an adjudicator reads them: what their author said, gold as it is, and what was decided since."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.models import Adjudication, Challenge, GoldLabel, Label


@dataclass(frozen=True)
class ChallengeRow:
    """`decision` is the last one at the unit, whenever that was."""

    challenge: Challenge
    label: Label | None
    gold: GoldLabel | None
    decision: Adjudication | None

    @property
    def decided_since(self) -> bool:
        return self.decision is not None and self.decision.created_at >= self.challenge.created_at


def rows_of(challenges: Sequence[Challenge]) -> list[ChallengeRow]:
    """A row for each, in three queries for all of them."""
    segments = {each.segment_id for each in challenges}
    said = Label.objects.filter(assignment__in={each.assignment_id for each in challenges}, segment__in=segments)
    labels = {(each.assignment_id, each.segment_id, each.fact_id): each for each in said.in_force()}
    current = GoldLabel.objects.current().filter(segment__in=segments)
    gold = {(each.segment_id, each.fact_id): each for each in current}
    decided = Adjudication.objects.on_values().filter(segment__in=segments).order_by("pk")
    decisions = {(each.segment_id, each.fact_id): each for each in decided}
    return [
        ChallengeRow(
            each,
            labels.get((each.assignment_id, each.segment_id, each.fact_id)),
            gold.get((each.segment_id, each.fact_id)),
            decisions.get((each.segment_id, each.fact_id)),
        )
        for each in challenges
    ]
