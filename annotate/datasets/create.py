"""Who may create datasets and sandboxes, and how one begins."""

from django.contrib.auth.models import Permission
from django.db import transaction

from annotate.models import Dataset, Membership, ReviewPolicy, Role, Scheme, User
from annotate.models.dataset import DatasetQuerySet
from core.errors import DataError

RIGHT = "annotate.add_dataset"
MOST_SANDBOXES = 5


def may_create(user: User) -> bool:
    """Superusers may, and those to whom one of them gave the right."""
    return user.has_perm(RIGHT)


def may_create_sandbox(user: User) -> bool:
    """Researchers of some dataset may create sandboxes of their own, a few at a time."""
    if user.only_dataset is not None:
        return False
    researches = Dataset.objects.active().of(user, Role.RESEARCHER)
    return researches.exists() and sandboxes_of(user).count() < MOST_SANDBOXES


def sandboxes_of(user: User) -> DatasetQuerySet:
    """Those not deleted, archived ones too."""
    return Dataset.objects.ready().filter(sandbox=True, memberships__user=user)


def refuse_sandbox(dataset: Dataset) -> None:
    """DataError: it is a sandbox, of which nobody else sees anything."""
    if dataset.sandbox:
        raise DataError("This is a sandbox: nothing of it is shown to others.")


def set_right(person: User, allowed: bool) -> None:
    """Give the person the right to create datasets, or take it back."""
    right = Permission.objects.get(content_type__app_label="annotate", codename="add_dataset")
    if allowed:
        person.user_permissions.add(right)
    else:
        person.user_permissions.remove(right)


@transaction.atomic
def create_dataset(
    name: str,
    scheme: str,
    created_by: User | None = None,
    description: str = "",
    *,
    ready: bool = False,
    sandbox: bool = False,
) -> Dataset:
    """A dataset of which `created_by` is adjudicator; alone, they can give one signature, so it asks for one.

    ready: it is there at once, and not only once an import ends. sandbox: nobody else ever joins it.

    In FELM an error needs its type and a reason.

    IntegrityError: the name is taken.
    """
    review = ReviewPolicy.SUPER if created_by is None else ReviewPolicy.REVIEWER
    felm = scheme == Scheme.FELM
    dataset = Dataset.objects.create(
        name=name,
        scheme=scheme,
        description=description,
        review=review,
        ready=ready,
        sandbox=sandbox,
        type_required=felm,
        reason_required=felm,
    )
    if created_by is not None:
        Membership.objects.create(user=created_by, dataset=dataset, role=Role.ADJUDICATOR)
    return dataset
