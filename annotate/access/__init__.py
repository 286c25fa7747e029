"""The one way in which a view gets an object: fetched and authorised at once; 404 for an object that the person may not
know of, whatever the reason, 403 for what the person may see and not do: a page of their dataset, and for adjudicators
anything in it."""

from typing import TypeVar

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.http import Http404

from annotate.database.prepared import Prepared, Slot
from annotate.models import Assignment, Dataset, Membership, Role, Upload, User
from core.requests import PageRequest

AnyModel = TypeVar("AnyModel", bound=Model)

_role = Membership.objects.filter(user=Slot("annotator"), dataset=OuterRef("task__dataset")).values("role")
_own_assignment = Prepared(
    lambda: (
        Assignment.objects.select_related("task__dataset")
        .annotate(role=Subquery(_role))
        .filter(key=Slot("key"), annotator=Slot("annotator"), task__dataset__ready=True)
    )
)


class MemberRequest(PageRequest):
    """A request that the middleware has let through: somebody is logged in."""

    user: User


def role_in(user: User | AnonymousUser, dataset: Dataset) -> str | None:
    """The person's role in the dataset (a superuser is an adjudicator everywhere); None for outsiders."""
    if not user.is_authenticated:
        return None
    if user.is_superuser:
        return Role.ADJUDICATOR
    return Membership.objects.filter(user=user, dataset=dataset).values_list("role", flat=True).first()


def fetch_dataset(user: User | AnonymousUser, pk: int, *roles: str) -> Dataset:
    """The dataset, if the person has one of the roles in it (none named: any role)."""
    dataset = Dataset.objects.ready().filter(pk=pk).first()
    if dataset is None:
        raise Http404("No such dataset.")
    _admit(role_in(user, dataset), roles)
    return dataset


def fetch_in_dataset(
    user: User | AnonymousUser, objects: QuerySet[AnyModel], pk: int, dataset_path: str, *roles: str
) -> AnyModel:
    """The object, if the person has one of the roles in the dataset that `dataset_path` ("run.dataset") leads to.

    To everybody else but its adjudicators it is as if it were not there.
    """
    instance = objects.filter(pk=pk).first()
    if instance is None:
        raise Http404("No such page.")
    dataset: object = instance
    for step in dataset_path.split("."):
        dataset = getattr(dataset, step)
    if not isinstance(dataset, Dataset):
        raise TypeError(f"{dataset_path} does not lead to a dataset")
    if not dataset.ready:
        raise Http404("No such page.")
    role = role_in(user, dataset)
    if roles and role not in (*roles, Role.ADJUDICATOR):
        raise Http404("No such page.")
    _admit(role, roles)
    return instance


def fetch_own_assignment(user: User | AnonymousUser, key: str, *roles: str) -> Assignment:
    """The person's own assignment, if they still have one of the roles (none named: any); everyone else's is as if it
    were not there."""
    if not user.is_authenticated:
        raise Http404("No such assignment.")
    assignment = _own_assignment.first(key=key, annotator=user.pk)
    if assignment is None:
        raise Http404("No such assignment.")
    _admit(Role.ADJUDICATOR if user.is_superuser else vars(assignment)["role"], roles)
    assignment.annotator = user
    return assignment


def fetch_own_upload(user: User | AnonymousUser, pk: int) -> Upload:
    """The person's own upload; everyone else's is as if it were not there."""
    own = Upload.objects.select_related("dataset").filter(pk=pk)
    upload = own.filter(uploaded_by=user).first() if user.is_authenticated else None
    if upload is None:
        raise Http404("No such upload.")
    return upload


def admit_superuser(user: User | AnonymousUser) -> None:
    """Raises PermissionDenied for everyone who does not administer the site."""
    if not user.is_superuser:
        raise PermissionDenied("Only who administers the site may do this.")


def _admit(role: str | None, roles: tuple[str, ...]) -> None:
    if role is None:
        raise Http404("No such page.")
    if roles and role not in roles:
        raise PermissionDenied("Your role in this dataset does not allow this.")
