"""An annotator doubts gold; an adjudicator upholds the doubt by a new decision, or declines it with an answer."""

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.feedback.outcome import closed_work, unit_outcomes
from annotate.feedback.revised import Revised, revised
from annotate.judgements.judgement import JudgementError, check_text
from annotate.models import Assignment, Challenge, Dataset, User
from annotate.models.corpus import visible

State = Challenge.State


class ChallengeError(ValueError):
    """It cannot be challenged, or answered, like that; the message says why. Nothing was changed."""


@transaction.atomic
def challenge(assignment: Assignment, segment: int, fact: int | None, text: str) -> Challenge:
    """Doubt the gold of a unit that the annotator judged otherwise (primary keys). Raises ChallengeError."""
    text = _checked(text, "say why gold should be otherwise")
    # A decision locks the dataset's row, too: gold is not overruled between being read here and being doubted.
    dataset = Dataset.objects.select_for_update().get(pk=assignment.task.dataset_id)
    if not closed_work(assignment.task.dataset, assignment.annotator).filter(pk=assignment.pk).exists():
        raise ChallengeError("only adjudicated units can be challenged")
    unit = next(
        (each for each in unit_outcomes(assignment) if (each.label.segment_id, each.label.fact_id) == (segment, fact)),
        None,
    )
    if unit is None or not unit.differs:
        raise ChallengeError("gold does not differ from your judgement there")
    try:
        with transaction.atomic():
            return Challenge.objects.create(
                assignment=assignment,
                segment_id=segment,
                fact_id=fact,
                text=text,
                revision=dataset.gold_revision,
            )
    except IntegrityError:
        raise ChallengeError("you have challenged this already; it waits for an answer") from None


def challenges_of(dataset: Dataset) -> QuerySet[Challenge]:
    """Those of the dataset's responses that count, the oldest first."""
    kept = Challenge.objects.filter(visible("segment__response__"), assignment__task__dataset=dataset)
    return kept.order_by("created_at", "pk")


@transaction.atomic
def uphold(challenge: Challenge, who: User, answer: str) -> None:
    """Answer that gold was changed: it says something else of the unit than when it was challenged. Raises
    ChallengeError while it does not, and if somebody has answered already."""
    # As in `challenge`: gold is not decided back between being compared here and being upheld.
    Dataset.objects.select_for_update().get(pk=challenge.assignment.task.dataset_id)
    (since,) = revised([challenge])
    if since.standing is Revised.WAITING:
        raise ChallengeError("adjudicate the fact first: it has no gold")
    if since.standing is Revised.UNCHANGED:
        raise ChallengeError("change the decision first: gold has not changed since the challenge")
    _answer(challenge, who, State.UPHELD, answer, adjudication=since.decision)


@transaction.atomic
def decline(challenge: Challenge, who: User, answer: str) -> None:
    """Answer that gold stands. Raises ChallengeError if somebody has answered already."""
    _answer(challenge, who, State.DECLINED, answer)


def _answer(challenge: Challenge, who: User, state: str, answer: str, **more: object) -> None:
    answer = _checked(answer, "say why: the annotator reads it")
    still_open = Challenge.objects.filter(pk=challenge.pk, state=State.OPEN)
    if not still_open.update(state=state, answer=answer, answered_by=who, answered_at=timezone.now(), **more):
        raise ChallengeError("somebody has answered it meanwhile")


def _checked(text: str, missing: str) -> str:
    text = text.strip()
    if not text:
        raise ChallengeError(missing)
    try:
        return check_text(text, "text")
    except JudgementError as error:
        raise ChallengeError(str(error)) from error
