"""Who may create datasets, and how one begins."""

from django.contrib.auth.models import Permission
from django.db import transaction

from annotate.models import Dataset, Membership, ReviewPolicy, Role, Scheme, User

RIGHT = "annotate.add_dataset"


def may_create(user: User) -> bool:
    """Superusers may, and those to whom one of them gave the right."""
    return user.has_perm(RIGHT)


def set_right(person: User, allowed: bool) -> None:
    """Give the person the right to create datasets, or take it back."""
    right = Permission.objects.get(content_type__app_label="annotate", codename="add_dataset")
    if allowed:
        person.user_permissions.add(right)
    else:
        person.user_permissions.remove(right)


@transaction.atomic
def create_dataset(
    name: str, scheme: str, created_by: User | None = None, description: str = "", *, ready: bool = False
) -> Dataset:
    """A dataset of which `created_by` is adjudicator; alone, they can give one signature, so it asks for one.

    ready: it is there at once, and not only once an import ends.

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
        type_required=felm,
        reason_required=felm,
    )
    if created_by is not None:
        Membership.objects.create(user=created_by, dataset=dataset, role=Role.ADJUDICATOR)
    return dataset
