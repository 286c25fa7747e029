"""Annotators by name, and their membership."""

from collections.abc import Sequence

from annotate.models import Dataset, Membership, Role, User


class AnnotatorError(ValueError):
    """The person cannot be an annotator of the dataset; the message says who and why."""


def annotators_of(dataset: Dataset) -> list[str]:
    """The user names of the dataset's annotators, sorted."""
    members = dataset.memberships.filter(role=Role.ANNOTATOR, user__is_superuser=False)
    return list(members.order_by("user__username").values_list("user__username", flat=True))


def make_annotators(dataset: Dataset, names: Sequence[str]) -> list[User]:
    """The people of these names, made members where they are none yet.

    Raises AnnotatorError for a name nobody has, for somebody who holds another role (it would show them what annotators
    must not see), and for a name given twice.
    """
    people = {person.username: person for person in User.objects.filter(username__in=names)}
    for place, name in enumerate(names):
        if name in names[:place]:
            raise AnnotatorError(f"{name} is named twice")
        if name not in people:
            raise AnnotatorError(f"there is no user {name!r}")
        refuse_other_role(dataset, people[name])
    join(dataset, list(people.values()))
    return [people[name] for name in names]


def refuse_other_role(dataset: Dataset, person: User) -> None:
    """Raise AnnotatorError if the person administers the site or holds another role in the dataset, or it is a sandbox,
    which nobody joins."""
    if dataset.sandbox:
        raise AnnotatorError(f"{dataset.name} is a sandbox, and nobody joins it")
    if person.is_superuser:
        raise AnnotatorError(f"{person.username} is a site administrator, who cannot be an annotator")
    role = Membership.objects.filter(dataset=dataset, user=person).values_list("role", flat=True).first()
    if role not in (None, Role.ANNOTATOR):
        raise AnnotatorError(f"{person.username} is {role} of {dataset.name}: each person has one role in a dataset")


def join(dataset: Dataset, people: Sequence[User]) -> None:
    """Make them annotators of the dataset; who is one already stays one."""
    Membership.objects.bulk_create(
        [Membership(dataset=dataset, user=person, role=Role.ANNOTATOR) for person in people], ignore_conflicts=True
    )
