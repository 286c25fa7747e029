"""The one way in which a view gets an object: fetched and authorised at once; 404 for an object that the person may not
know of, whatever the reason, 403 for what the person may see and not do: a page of their dataset, and for adjudicators
anything in it."""

from typing import TypeVar

from allauth.core import context
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.http import Http404

from annotate.database.prepared import Prepared, Slot
from annotate.models import Assignment, Dataset, DatasetDeletion, Guideline, Membership, Role, Upload, User
from core.requests import PageRequest

AnyModel = TypeVar("AnyModel", bound=Model)
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

_dataset = Prepared(
    lambda: (
        Dataset.objects.ready()
        .filter(pk=Slot("pk"))
        .annotate(role=Subquery(Membership.objects.filter(user=Slot("user"), dataset=OuterRef("pk")).values("role")))
    )
)
_role = Membership.objects.filter(user=Slot("annotator"), dataset=OuterRef("task__dataset")).values("role")
_newest = Guideline.objects.filter(dataset=OuterRef("task__dataset")).order_by("-version").values("version")[:1]
_own_assignment = Prepared(
    lambda: (
        Assignment.objects.select_related("task__dataset")
        .annotate(role=Subquery(_role), newest_guideline=Subquery(_newest))
        .filter(key=Slot("key"), annotator=Slot("annotator"), task__dataset__ready=True)
    )
)


class RemovedError(Http404):
    """The assignment is the person's own, and they are no member of its dataset any more."""


class MemberRequest(PageRequest):
    """A request that the middleware has let through: somebody is logged in."""

    user: User


def role_in(user: User | AnonymousUser, dataset: Dataset) -> str | None:
    """The person's role in the dataset (a superuser is an adjudicator everywhere); None for outsiders."""
    if not _is_open_to(user, dataset):
        return None
    if user.is_superuser:
        return Role.ADJUDICATOR
    return Membership.objects.filter(user=user.pk, dataset=dataset).values_list("role", flat=True).first()


def _is_open_to(user: User | AnonymousUser, dataset: Dataset) -> bool:
    """Somebody is logged in, and their token, if they have one, is not for another dataset."""
    return user.is_authenticated and user.only_dataset in (None, dataset.pk)


def fetch_dataset(user: User | AnonymousUser, pk: int, *roles: str, even_archived: bool = False) -> Dataset:
    """The dataset, if the person has one of the roles in it (none named: any role).

    Nothing is written in an archived one but by the pages that say so (`even_archived`).
    """
    dataset, role = _read_dataset(user, pk)
    _admit(role, roles)
    if not even_archived:
        _check_writable(dataset)
    return dataset


def fetch_with_role(user: User | AnonymousUser, pk: int) -> tuple[Dataset, str]:
    """The dataset and the person's role in it, if they have any."""
    dataset, role = _read_dataset(user, pk)
    if role is None:
        raise Http404("No such dataset.")
    return dataset, role


def _read_dataset(user: User | AnonymousUser, pk: int) -> tuple[Dataset, str | None]:
    """The dataset and the person's role in it, as `role_in` gives it, in one query."""
    dataset = _dataset.first(pk=pk, user=user.pk or 0)
    if dataset is None:
        raise Http404("No such dataset.")
    role: str | None = Role.ADJUDICATOR if user.is_superuser else vars(dataset)["role"]
    return dataset, role if _is_open_to(user, dataset) else None


def fetch_in_dataset(
    user: User | AnonymousUser,
    objects: QuerySet[AnyModel],
    pk: int,
    dataset_path: str,
    *roles: str,
    even_archived: bool = False,
) -> AnyModel:
    """The object, if the person has one of the roles in the dataset that `dataset_path` ("run.dataset") leads to.

    To everybody else but its adjudicators it is as if it were not there. even_archived: as in `fetch_dataset`.
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
    if not even_archived:
        _check_writable(dataset)
    return instance


def fetch_own_assignment(user: User | AnonymousUser, key: str, *roles: str) -> Assignment:
    """The person's own assignment, if they still have one of the roles (none named: any); everyone else's is as if it
    were not there.

    Its `newest_guideline` is the newest version of the guidelines, None without any. Raises RemovedError for a person
    who was removed.
    """
    if not user.is_authenticated:
        raise Http404("No such assignment.")
    assignment = _own_assignment.first(key=key, annotator=user.pk)
    if assignment is None:
        raise Http404("No such assignment.")
    if user.only_dataset not in (None, assignment.task.dataset_id):
        raise Http404("No such assignment.")
    role = Role.ADJUDICATOR if user.is_superuser else vars(assignment)["role"]
    if role is None:
        raise RemovedError("No such assignment.")
    _admit(role, roles)
    _check_writable(assignment.task.dataset)
    assignment.annotator = user
    return assignment


def own_uploads(user: User) -> QuerySet[Upload]:
    """The person's uploads; where a token opens one dataset, those into it."""
    own = Upload.objects.filter(uploaded_by=user)
    if user.only_dataset is not None:
        own = own.filter(dataset_name__in=Dataset.objects.filter(pk=user.only_dataset).values("name"))
    return own


def fetch_own_upload(user: User | AnonymousUser, pk: int) -> Upload:
    """The person's own upload; everyone else's is as if it were not there."""
    own = own_uploads(user).select_related("dataset") if user.is_authenticated else Upload.objects.none()
    upload = own.filter(pk=pk).first()
    if upload is None:
        raise Http404("No such upload.")
    return upload


def fetch_own_deletion(user: User | AnonymousUser, pk: int) -> DatasetDeletion:
    """The deletion of a dataset that the person asked for, for superusers of all; others are as if not there."""
    deletion = DatasetDeletion.objects.filter(pk=pk).first()
    if deletion is None or not (user.is_superuser or deletion.requested_by_id == user.pk):
        raise Http404("No such deletion.")
    if user.is_authenticated and user.only_dataset not in (None, deletion.dataset_id):
        raise Http404("No such deletion.")
    return deletion


def admit_superuser(user: User | AnonymousUser) -> None:
    """Raises PermissionDenied for everyone who does not administer the site."""
    if not user.is_superuser:
        raise PermissionDenied("Only who administers the site may do this.")


def _admit(role: str | None, roles: tuple[str, ...]) -> None:
    if role is None:
        raise Http404("No such page.")
    if roles and role not in roles:
        raise PermissionDenied("Your role in this dataset does not allow this.")


def _check_writable(dataset: Dataset) -> None:
    """Raises PermissionDenied where the request in work would write into an archived dataset."""
    request = context.request
    if dataset.archived_at is not None and request is not None and request.method not in SAFE_METHODS:
        raise PermissionDenied("This dataset is archived and cannot change. An adjudicator can restore it.")
