"""Find responses: by text, domain, subject and state, in an order, all of it in the page's address."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Case, CharField, Count, Exists, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Length
from django.http import QueryDict

from annotate.models import Dataset, GoldLabel, Import, Response, Task
from annotate.models.corpus import ResponseQuerySet
from annotate.models.gold import counted

STATES = {
    "new": "Nobody labels it",
    "labelling": "Being labelled",
    "settling": "In adjudication",
    "settled": "Closed",
    "abstained": "Abstained",
}
SORTS = {
    "position": "File order",
    "-segment_count": "Most segments",
    "segment_count": "Fewest segments",
    "-length": "Longest",
    "prompt__domain": "Domain",
    "subject": "Subject",
}
# The orders by what is no column of the table.
COMPUTED = {"segment_count": Count("segments"), "length": Length("text")}


@dataclass(frozen=True)
class Search:
    """The filters of the search; unknown states and orders are ignored."""

    text: str = ""
    domain: str = ""
    subject: str = ""
    state: str = ""
    imported: int | None = None
    details: str = ""
    sort: str = "position"
    address: QueryDict = field(default_factory=lambda: QueryDict(mutable=True))

    @classmethod
    def read(cls, query: QueryDict) -> "Search":
        address = query.copy()
        address.pop("page", None)
        state, sort = query.get("state", ""), query.get("sort", "position")
        return cls(
            text=query.get("q", "").replace("\0", "").strip(),
            domain=query.get("domain", ""),
            subject=query.get("subject", ""),
            state=state if state in STATES else "",
            imported=int(number) if (number := query.get("import", "")).isdecimal() else None,
            details=query.get("details", "").replace("\0", "").strip(),
            sort=sort if sort in SORTS else "position",
            address=address,
        )

    @property
    def narrowed(self) -> bool:
        return any((self.text, self.domain, self.subject, self.state, self.imported, self.details))

    def find(self, dataset: Dataset) -> Sequence[int] | QuerySet[Response, int]:
        """The primary keys of those that the filters leave, in the order that is asked for. Of a search through the
        texts, which reads them all, they are read once; of others, a page at a time."""
        keys = self.ordered(dataset).values_list("pk", flat=True)
        return list(keys) if self.text or self.details else keys

    def ordered(self, dataset: Dataset) -> ResponseQuerySet:
        """Those that the filters leave, in the order that is asked for."""
        column = self.sort.removeprefix("-")
        responses = self.narrow(dataset)
        if column in COMPUTED:
            responses = responses.annotate(**{column: COMPUTED[column]})
        return responses.order_by(*dict.fromkeys((self.sort, "position")))

    def narrow(self, dataset: Dataset, revision: int | None = None) -> ResponseQuerySet:
        """Those that the filters leave, of those that count, or counted as of a revision."""
        responses = Response.objects.filter(counted("", revision), dataset=dataset)
        if self.state:
            responses = with_state(responses).filter(Q(("state", self.state)))
        if self.text:
            responses = responses.filter(
                Q(text__icontains=self.text) | Q(prompt__text__icontains=self.text) | Q(index__iexact=self.text)
            )
        if self.details:
            # SQLite stores other letters than English ones as JSON escapes them, PostgreSQL as they are.
            escaped = json.dumps(self.details)[1:-1]
            responses = responses.filter(Q(details__icontains=self.details) | Q(details__icontains=escaped))
        fields = (("prompt__domain", self.domain), ("subject", self.subject), ("imported", self.imported))
        for name, value in fields:
            if value:
                responses = responses.filter(**{name: value})
        return responses


def may_have_details(dataset: Dataset) -> bool:
    """Whether any of its files was of a form of which details are kept."""
    return dataset.imports.filter(format__in=(Import.Format.MAPPED, Import.Format.RESPONSES)).exists()


def rows_of(keys: Sequence[int]) -> list[Response]:
    """The responses of these primary keys in their order, each with its prompt, state and number of segments."""
    responses = with_state(Response.objects.filter(pk__in=keys)).annotate(segment_count=Count("segments"))
    by_key = {each.pk: each for each in responses.select_related("prompt")}
    return [by_key[key] for key in keys if key in by_key]


def with_state(responses: ResponseQuerySet) -> ResponseQuerySet:
    """Annotate each with its `state`, one of STATES."""
    gold = GoldLabel.objects.current().filter(segment__response=OuterRef("pk"))
    labelled = Task.objects.real().labelled().filter(pk=OuterRef("task"))
    return responses.annotate(
        state=Case(
            When(abstained=True, then=Value("abstained")),
            When(task__closed_at__isnull=False, then=Value("settled")),
            When(task__kind__in=[Task.Kind.QUALIFICATION, Task.Kind.CONTROL], then=Value("settled")),
            When(Q(task__isnull=True) & Exists(gold), then=Value("settled")),
            When(Exists(labelled), then=Value("settling")),
            When(task__isnull=False, then=Value("labelling")),
            default=Value("new"),
            output_field=CharField(),
        )
    )
