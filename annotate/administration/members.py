"""One person, one role in a dataset; somebody always administers it."""

from django.db import transaction

from annotate.models import Assignment, Dataset, Membership, Role, User
from annotate.models.work import AssignmentQuerySet
from annotate.tasks.places import give_back


class MemberError(ValueError):
    """The change cannot be made; the message says why. Nothing was changed."""


@transaction.atomic
def add_member(dataset: Dataset, name: str, role: str) -> Membership:
    """Make the person of this user name a member. Raises MemberError for an unknown name, role or a second role, and
    as `change_role` does for somebody with work at hand."""
    _check_role(role)
    person = User.objects.filter(username=name.strip()).first()
    if person is None:
        raise MemberError(f"nobody here is called {name.strip()!r}; accounts are made on the admin pages")
    if person.is_superuser:
        raise MemberError(f"{person.username} administers the site, and so every dataset: a role would change nothing")
    if dataset.memberships.filter(user=person).exists():
        raise MemberError(f"{person.username} is a member already: change the role below")
    _keep_blind(dataset, person, role)
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
    member.role = role
    member.save(update_fields=["role"])


@transaction.atomic
def remove_member(member: Membership) -> None:
    """End the membership; places not yet submitted go to somebody else, labels stay. MemberError for the last
    adjudicator."""
    _lock(member)
    _keep_an_adjudicator(member)
    for assignment in _unsettled(member.dataset, member.user):
        give_back(assignment)
    member.delete()


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
        raise MemberError(f"{member.user.username} is the only adjudicator: name another first")


def _keep_blind(dataset: Dataset, person: User, role: str) -> None:
    """Submitted work outlasts a membership: a member who comes back is bound by it, too."""
    if role != Role.ANNOTATOR and _unsettled(dataset, person).exists():
        raise MemberError(f"{person.username} has work that is not settled, and would see what others say of it")


def _unsettled(dataset: Dataset, person: User) -> AssignmentQuerySet:
    return Assignment.objects.of(dataset).live().filter(annotator=person, task__closed_at__isnull=True)
