"""The results of a rated sample of edits: shares accepted and with new errors, and the agreement of its raters."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db import transaction

from annotate.models import User
from annotate.samples.results import QuestionFigures, figures_of_question
from evaluators.editing.forms import QUESTIONS
from evaluators.models import EditItem, EditRating, EditSample, EditSettlement
from ratings import settle as settlements
from ratings.errors import SettleError
from stats.proportions import Proportion


@dataclass(frozen=True)
class RatedEdit:
    """An item with all its ratings. accepted: by all raters alike, else by the settlement; None while it is open."""

    item: EditItem
    ratings: tuple[EditRating, ...]

    @property
    def settlement(self) -> EditSettlement | None:
        return getattr(self.item, "settlement", None)

    @property
    def differs(self) -> bool:
        return len({rating.accepted for rating in self.ratings}) > 1

    @property
    def accepted(self) -> bool | None:
        if self.settlement is not None:
            return self.settlement.accepted
        return None if self.differs else self.ratings[0].accepted


@dataclass(frozen=True)
class SampleResults:
    """questions: as the raters answered, before anything was settled. accepted: the share of the decided edits."""

    rated: tuple[RatedEdit, ...]
    questions: tuple[QuestionFigures, ...]
    accepted: Proportion

    @property
    def unsettled(self) -> int:
        return sum(each.accepted is None for each in self.rated)


def results_of(sample: EditSample) -> SampleResults:
    """Of a sample that has all its ratings; three queries."""
    rated = rated_edits(sample)
    prompts = np.array([each.item.edit.segment.response.prompt_id for each in rated], dtype=np.int64)
    decided = [each.accepted for each in rated if each.accepted is not None]
    return SampleResults(
        rated=rated,
        questions=tuple(
            figures_of_question(
                [[bool(getattr(rating, question.name)) for rating in each.ratings] for each in rated],
                prompts,
                question.title,
            )
            for question in QUESTIONS
        ),
        accepted=Proportion(sum(decided), len(decided)),
    )


def rated_edits(sample: EditSample) -> tuple[RatedEdit, ...]:
    """The items in the order of the draw."""
    items = sample.items.for_page().select_related("settlement__settled_by").prefetch_related("ratings__rater")
    return tuple(RatedEdit(item, tuple(item.ratings.all())) for item in items.order_by("position"))


@transaction.atomic
def settle(item: EditItem, accepted: bool, why: str, who: User) -> None:
    """Write whether an edit is accepted on which its raters differ; a later settlement replaces it. Raises
    SettleError."""
    if not item.sample.is_complete():
        raise SettleError("Adjudication starts when all ratings are complete.")
    if len({rating.accepted for rating in item.ratings.all()}) < 2:
        raise SettleError("The raters agree: nothing to adjudicate.")
    settlements.settle(item, who, settlements.check_reason(why), accepted=accepted)


def accepted_of(run_samples: Sequence[EditSample]) -> dict[int, bool]:
    """Whether each decided edit (primary key) of the complete samples is accepted."""
    return {
        each.item.edit_id: each.accepted
        for sample in run_samples
        if sample.is_complete()
        for each in rated_edits(sample)
        if each.accepted is not None
    }
