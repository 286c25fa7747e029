"""A person's items: found, those dismissed left out, and counted for the navigation."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime

from django.core.cache import cache
from django.db.models import Value

from annotate.attention.items import COUNTS, FINDERS, OWN_FINDERS, Datasets, Item
from annotate.models import Dataset, Dismissal, Membership, Role, User
from jobs.models import served_queues

# The number in the navigation may be this old.
COUNT_SECONDS = 60
NEVER = datetime.min.replace(tzinfo=UTC)


def items_of(person: User) -> list[Item]:
    """The items of the person in all their datasets, the newest first, without those dismissed."""
    items = _without_dismissed(person, _find(person, _datasets_by_role(person)))
    cache.set(_count_key(person), len(items), COUNT_SECONDS)
    return items


def items_in(dataset: Dataset, person: User, role: str) -> list[Item]:
    """The same in one dataset, in which the person has this role."""
    found = _find(person, {role: {dataset.pk: dataset}})
    return _without_dismissed(person, (item for item in found if item.dataset is not None))


def kinds_in(dataset: Dataset, person: User, role: str, names: Collection[str]) -> set[str]:
    """Which of the kinds of these names something waits of; in one query."""
    return {item.kind for item in _count(person, {role: {dataset.pk: dataset}}, names)}


def _find(person: User, by_role: Mapping[str, Datasets]) -> Iterator[Item]:
    yield from _count(person, by_role, COUNTS)
    for roles, finder in FINDERS.values():
        for role in set(roles) & set(by_role):
            yield from finder(person, by_role[role])
    for finder in OWN_FINDERS.values():
        yield from finder(person, _all_of(by_role))


def _count(person: User, by_role: Mapping[str, Datasets], names: Collection[str]) -> Iterator[Item]:
    """All counts as the parts of one query; another query reads which queues have a worker, where that matters."""
    kinds = [(kind, role) for name, kind in COUNTS.items() for role in by_role if role in kind.roles and name in names]
    served = served_queues() if any(kind.queue for kind, _ in kinds) else set()
    parts = [
        kind.rows(person, by_role[role])
        .annotate(kind=Value(kind.name))
        .values_list("kind", "in_dataset", "number", "newest", "first", "last")
        for kind, role in kinds
        if kind.queue not in served
    ]
    if not parts:
        return
    datasets = _all_of(by_role)
    for name, dataset, *columns in parts[0].union(*parts[1:], all=True):
        yield COUNTS[name].item(datasets[dataset], *columns)


def _all_of(by_role: Mapping[str, Datasets]) -> Datasets:
    return {pk: dataset for of_role in by_role.values() for pk, dataset in of_role.items()}


def _without_dismissed(person: User, found: Iterable[Item]) -> list[Item]:
    items = list(found)
    dismissed = set(Dismissal.objects.filter(user=person).values_list("key", flat=True)) if items else set()
    left = [item for item in items if item.key not in dismissed]
    return sorted(left, key=lambda item: item.since or NEVER, reverse=True)


def _datasets_by_role(person: User) -> Mapping[str, Datasets]:
    if person.is_superuser:
        return {Role.ADJUDICATOR: {each.pk: each for each in Dataset.objects.active()}}
    members = Membership.objects.filter(user=person, dataset__in=Dataset.objects.active()).select_related("dataset")
    by_role: defaultdict[str, dict[int, Dataset]] = defaultdict(dict)
    for member in members:
        by_role[member.role][member.dataset_id] = member.dataset
    return by_role


def known_count(person: User) -> int | None:
    """The number of their items where it was counted within the last minute, else None."""
    count: int | None = cache.get(_count_key(person))
    return count


def dismiss(person: User, key: str) -> bool:
    """Hide the item of this key from the person; False if they have none."""
    items = items_of(person)
    if not any(item.key == key for item in items):
        return False
    Dismissal.objects.get_or_create(user=person, key=key)
    cache.set(_count_key(person), len(items) - 1, COUNT_SECONDS)
    return True


def _count_key(person: User) -> str:
    """Files of the cache outlive a database that is made anew: the number alone does not name a person."""
    return f"attention-{person.pk}-{person.date_joined.timestamp()}"
