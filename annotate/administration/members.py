"""One person, one role in a dataset; somebody always administers it."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotate.models import Assignment, Dataset, Membership, Role, User
from annotate.models.work import AssignmentQuerySet
from annotate.tasks.places import give_back, keep_submission


class MemberError(ValueError):
    """The change cannot be made; the message says why. Nothing was changed."""


@transaction.atomic
def add_member(dataset: Dataset, name: str, role: str) -> Membership:
    """Make the person of this user name a member. Raises MemberError for an unknown name, role or a second role, and
    as `change_role` does for somebody with work at hand."""
    _check_role(role)
    person = User.objects.filter(username=name.strip()).first()
    if person is None:
        raise MemberError(f"no user is called {name.strip()!r}: invite them instead")
    return join(dataset, person, role)


def join(dataset: Dataset, person: User, role: str) -> Membership:
    """Make the person a member. Raises MemberError as `add_member` does, but for an unknown name."""
    if dataset.sandbox:
        raise MemberError(f"{dataset} is a sandbox, and nobody else joins it")
    if person.is_superuser:
        raise MemberError(f"{person.username} administers the site and has all rights: no role needed")
    if dataset.memberships.filter(user=person).exists():
        raise MemberError(f"{person.username} is already a member: change the role below")
    _keep_blind(dataset, person, role)
    _note_left(dataset, person, None)
    return dataset.memberships.create(user=person, role=role)


@transaction.atomic
def change_role(member: Membership, role: str) -> None:
    """Give the member another role. Raises MemberError for the last adjudicator, and for an annotator with work at
    hand: another role would show them what others say of it."""
    _check_role(role)
    _lock(member)
    if role == member.role:
        return
    _keep_an_adjudicator(member)
    _keep_blind(member.dataset, member.user, role)
    _revoke_invitations(member)
    member.role = role
    member.save(update_fields=["role"])


@transaction.atomic
def remove_member(member: Membership) -> None:
    """End the membership; places not yet submitted go to somebody else, labels stay. MemberError for the last
    adjudicator."""
    _lock(member)
    _keep_an_adjudicator(member)
    free_places(member.dataset, member.user, timezone.now())
    _revoke_invitations(member)
    member.delete()


def free_places(dataset: Dataset, person: User, now: datetime) -> None:
    """Let somebody else have the person's tasks that are not submitted. What was sent back to them stands as it was
    submitted.

    Whoever comes back may take them up again, as if the time had run out, where the place is still free.
    """
    for assignment in _unsettled(dataset, person):
        if not keep_submission(assignment, None) and give_back(assignment):
            Assignment.objects.filter(pk=assignment.pk).update(left_at=now, lease_until=now)
    _note_left(dataset, person, now)


def _note_left(dataset: Dataset, person: User, at: datetime | None) -> None:
    """Nobody waits in a rebuttal for somebody who left; who is back can answer. The state is written as it is, so that
    the database notes the tasks as changed (annotate/cases/triggers.py)."""
    submitted = Assignment.State.SUBMITTED
    _unsettled(dataset, person).filter(state=submitted).update(left_at=at, state=submitted)


def count_unsubmitted(member: Membership) -> int:
    """How many tasks would go to somebody else."""
    return _unsettled(member.dataset, member.user).exclude(state=Assignment.State.SUBMITTED).count()


def _revoke_invitations(member: Membership) -> None:
    """Nobody comes in, or comes back, by a link of somebody who no longer administers the dataset."""
    own = member.dataset.invitations.open().filter(invited_by=member.user)
    own.update(revoked_at=timezone.now())


def _check_role(role: str) -> None:
    if role not in Role.values:
        raise MemberError(f"there is no role {role!r}")


def _lock(member: Membership) -> None:
    """Nobody else changes the members until the transaction ends: two adjudicators cannot remove each other."""
    Dataset.objects.select_for_update().get(pk=member.dataset_id)
    member.refresh_from_db()


def _keep_an_adjudicator(member: Membership) -> None:
    others = member.dataset.memberships.filter(role=Role.ADJUDICATOR).exclude(pk=member.pk)
    if member.role == Role.ADJUDICATOR and not others.exists():
        raise MemberError(f"{member.user.username} is the only adjudicator: add another first")


def _keep_blind(dataset: Dataset, person: User, role: str) -> None:
    """Submitted work outlasts a membership: a member who comes back is bound by it, too."""
    if role != Role.ANNOTATOR and _unsettled(dataset, person).exists():
        raise MemberError(f"{person.username} has open work and would see other people's labels")


def _unsettled(dataset: Dataset, person: User) -> AssignmentQuerySet:
    return Assignment.objects.of(dataset).live().filter(annotator=person, task__closed_at__isnull=True)
