"""Find responses: by text, domain, subject and state, in an order, all of it in the page's address."""

from dataclasses import dataclass, field

from django.db.models import Case, CharField, Count, Exists, OuterRef, Q, Value, When
from django.db.models.functions import Length
from django.http import QueryDict

from annotate.models import Dataset, GoldLabel, Response, Task
from annotate.models.corpus import ResponseQuerySet

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
    "-length": "Longest",
    "prompt__domain": "Domain",
    "subject": "Subject",
}


@dataclass(frozen=True)
class Search:
    """The filters of the search; unknown states and orders are ignored."""

    text: str = ""
    domain: str = ""
    subject: str = ""
    state: str = ""
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
            sort=sort if sort in SORTS else "position",
            address=address,
        )

    @property
    def narrowed(self) -> bool:
        return any((self.text, self.domain, self.subject, self.state))

    def find(self, dataset: Dataset) -> ResponseQuerySet:
        """Those that the filters leave, in the order that is asked for, each with its number of segments."""
        counted = self.narrow(dataset).annotate(segment_count=Count("segments"), length=Length("text"))
        return counted.order_by(self.sort, "position")

    def narrow(self, dataset: Dataset) -> ResponseQuerySet:
        """Those that the filters leave, with their prompts and their states."""
        responses = with_state(Response.objects.visible().filter(dataset=dataset))
        if self.text:
            responses = responses.filter(
                Q(text__icontains=self.text) | Q(prompt__text__icontains=self.text) | Q(index__iexact=self.text)
            )
        for name, value in (("prompt__domain", self.domain), ("subject", self.subject), ("state", self.state)):
            if value:
                responses = responses.filter(**{name: value})
        return responses.select_related("prompt")


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
