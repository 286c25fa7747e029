"""Items that need somebody's attention, and the registry of what finds them.

Most are counts: so many things of one kind wait in a dataset. One query reads all counts, however many kinds there are.
What is no count is found by a function of its own. A module that registers either is imported when its room is loaded
(`ready` in apps.py).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Max, Min, QuerySet
from django.urls import reverse

from annotate.models import Dataset, User

KEY_LIMIT = 200
Datasets = Mapping[int, Dataset]


@dataclass(frozen=True)
class Item:
    """One sentence with one address. `mark` names the item among those of its kind in the dataset: another mark is
    another item, which a dismissal of the former does not hide. `since`: None where it is not known.

    An item for an annotator tells nothing of others' labels, nor whether there are controls among their work.
    dataset: None where there is none any more, or not yet.
    """

    kind: str
    dataset: Dataset | None
    mark: str
    sentence: str
    address: str
    since: datetime | None

    @property
    def key(self) -> str:
        return f"{self.kind}:{'' if self.dataset is None else self.dataset.pk}:{self.mark}"[:KEY_LIMIT]


# Finds the items of the person in these datasets, by their primary keys, in a number of queries that does not depend on
# how many datasets there are.
Finder = Callable[[User, Datasets], Iterable[Item]]
# The rows that wait for the person in these datasets, as `by_dataset` counts them.
Rows = Callable[[User, Datasets], QuerySet[Any, Any]]


@dataclass(frozen=True)
class CountKind:
    """A kind of things that are counted: the words after the number, and the page where they are.

    of_newest: the page is that of the newest of them, and not of the dataset. queue: they are counted while no worker
    serves it; "": always.
    """

    name: str
    roles: tuple[str, ...]
    one: str
    many: str
    page: str
    query: str
    of_newest: bool
    queue: str
    rows: Rows

    def item(self, dataset: Dataset, number: int, newest: int, first: datetime | None, last: datetime | None) -> Item:
        """The oldest waits since `first`; the newest came at `last`, and makes another item of it."""
        return Item(
            self.name,
            dataset,
            "" if last is None else last.isoformat(),
            f"{number:,} {self.one if number == 1 else self.many}",
            reverse(self.page, args=[newest if self.of_newest else dataset.pk]) + self.query,
            first,
        )


def asking_to_qualify(datasets: Datasets) -> list[int]:
    """Those of the datasets (primary keys) that ask their annotators to qualify."""
    return [pk for pk, dataset in datasets.items() if dataset.qualification_pass is not None]


FINDERS: dict[str, tuple[tuple[str, ...], Finder]] = {}
OWN_FINDERS: dict[str, Finder] = {}
COUNTS: dict[str, CountKind] = {}


def finds_items(*roles: str) -> Callable[[Finder], Finder]:
    """Register a function that finds items for people of these roles."""

    def register(finder: Finder) -> Finder:
        FINDERS[f"{finder.__module__}.{finder.__name__}"] = (roles, finder)
        return finder

    return register


def finds_own_items(finder: Finder) -> Finder:
    """Register a function that finds items for people of any role or none, of these datasets (all of theirs) or of no
    dataset of theirs."""
    OWN_FINDERS[f"{finder.__module__}.{finder.__name__}"] = finder
    return finder


def counts(
    name: str, *roles: str, one: str, many: str, page: str, query: str = "", of_newest: bool = False, queue: str = ""
) -> Callable[[Rows], Rows]:
    """Register a function whose rows are counted for people of these roles.

    `one` and `many` follow the number: "task waits …", "tasks wait …". `page`: the name of an address of the dataset,
    or of the newest row; `query` is appended to it. `of_newest`, `queue`: as of CountKind.
    """

    def register(rows: Rows) -> Rows:
        COUNTS[name] = CountKind(name, roles, one, many, page, query, of_newest, queue, rows)
        return rows

    return register


def by_dataset(rows: QuerySet[Any, Any], dataset: str, at: str, counted: str = "pk") -> QuerySet[Any, Any]:
    """Rows counted by dataset, with the newest, and the first and the last of their times. `dataset`, `at` and
    `counted`: paths of columns."""
    of_dataset = rows.order_by().values(in_dataset=F(dataset))
    by_each: QuerySet[Any, Any] = of_dataset.annotate(
        number=Count(counted, distinct=True), newest=Max(counted), first=Min(at), last=Max(at)
    )
    return by_each
