"""Changes of a dataset's members, each with its entry in the audit log."""

from django.db import transaction
from django.http import Http404, HttpRequest

from annotate.access import fetch_in_dataset
from annotate.administration.members import MemberError, add_member, change_role, remove_member
from annotate.models import Dataset, Membership, Role, User
from audit.models import Action
from audit.record import record

MEMBERS = Membership.objects.select_related("user", "dataset")


def fetch_member(user: User, pk: int) -> Membership:
    """The membership, for who may end it: the person, and adjudicators of the dataset."""
    own = MEMBERS.filter(pk=pk, user=user, dataset__ready=True).first()
    if own is not None and user.only_dataset not in (None, own.dataset_id):
        raise Http404("No such page.")
    return own or fetch_in_dataset(user, MEMBERS.all(), pk, "dataset", Role.ADJUDICATOR)


@transaction.atomic
def add(request: HttpRequest, dataset: Dataset, name: str, role: str) -> Membership:
    """Raises MemberError as `add_member` does."""
    member = add_member(dataset, name, role)
    record(request, Action.MEMBER_ADDED, member.user, detail=f"{dataset}: {role}")
    return member


@transaction.atomic
def change(request: HttpRequest, member: Membership, role: str) -> None:
    """Raises MemberError as `change_role` does, and for one's own role."""
    if member.user == request.user:
        raise MemberError("your own role is for another adjudicator to change")
    before = member.role
    change_role(member, role)
    record(request, Action.ROLE_CHANGED, member.user, detail=f"{member.dataset}: {before} to {role}")


@transaction.atomic
def remove(request: HttpRequest, member: Membership) -> None:
    """Raises MemberError as `remove_member` does."""
    before = member.role
    remove_member(member)
    record(request, Action.MEMBER_REMOVED, member.user, detail=f"{member.dataset}: {before}")
