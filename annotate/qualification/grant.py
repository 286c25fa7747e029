"""Admission of an annotator to real work by an adjudicator, whatever their qualification; or another try at it."""

from django.db import transaction

from annotate.cases.without_gold import answered
from annotate.models import Dataset, Membership, Qualification, QualificationRetake, Role, Task, User
from annotate.qualification.status import qualification_status_of


class GrantError(ValueError):
    """The pass cannot be granted; the message says why. Nothing was changed."""


@transaction.atomic
def grant(member: Membership, who: User, why: str) -> Qualification:
    """Admit the annotator; the pass records their right answers by then, the adjudicator and the reason."""
    why = why.strip()
    name = member.user.get_username()
    if member.role != Role.ANNOTATOR:
        raise GrantError(f"{name} is not an annotator of this dataset")
    if not why:
        raise GrantError("enter a reason")
    standing = qualification_status_of(member.dataset, member.user)
    judged = standing is not None and standing.units > 0
    # The annotator may be earning the pass, or another adjudicator granting it, at the same moment.
    passed, granted = member.dataset.qualifications.get_or_create(
        annotator=member.user,
        defaults={
            "right": standing.right if standing and judged else None,
            "units": standing.units if standing and judged else None,
            "granted_by": who,
            "why": why,
        },
    )
    if not granted:
        raise GrantError(f"{name} is already qualified")
    return passed


@transaction.atomic
def allow_retake(member: Membership, who: User) -> QualificationRetake:
    """Let the annotator take the qualification again, with tasks that they never had. Raises GrantError."""
    name = member.user.get_username()
    Dataset.objects.select_for_update().get(pk=member.dataset_id)
    standing = qualification_status_of(member.dataset, member.user) if member.role == Role.ANNOTATOR else None
    if standing is None or standing.passed or not standing.submitted:
        raise GrantError(f"{name} has no completed qualification")
    tasks = Task.objects.filter(dataset=member.dataset, kind=Task.Kind.QUALIFICATION).never_had_by(member.user)
    if not answered(tasks).exists():
        raise GrantError(f"add other responses to the qualification first: {name} has seen these answers")
    return QualificationRetake.objects.create(dataset=member.dataset, annotator=member.user, allowed_by=who)
