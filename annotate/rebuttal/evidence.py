"""The citations of the others without their judgements: source and quoted passage, neither value nor stance."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from annotate.models import Assignment, Label, ReferenceLink
from knowledge.marking import MarkedText
from knowledge.models import Snapshot


@dataclass(frozen=True)
class Card:
    """A source and the passage quoted from it.

    `document` and `title` are the primary key and the title of a page of the knowledge source; None and "" without one.

    `key` names the page as it was frozen in addresses of the assignment, "" where it was not.
    """

    url: str
    title: str
    quote: str
    document: int | None
    key: str

    @property
    def pieces(self) -> list[MarkedText]:
        """The passage, as those of a search have it: it can be cited like them."""
        return [MarkedText(self.quote, match=False)]


def evidence_of_others(assignment: Assignment) -> dict[int, list[Card]]:
    """The evidence that the other annotators of the task submitted, by segment (primary key).

    Alphabetically and each card once, so that nobody can tell who gave what or how many did. By segment also where
    facts are judged: a card on a sentence as a whole would tell that somebody calls it irrelevant. Citations of the
    rebuttal itself are left out: they would tell who changed their mind.
    """
    links = _links_of_others(assignment)
    keys = {url: page_key(assignment, snapshot) for url, snapshot in _first_frozen(links).items()}
    cards: defaultdict[int, set[Card]] = defaultdict(set)
    columns = ("label__segment", "url", "document__title", "quote", "document")
    for segment, url, title, quote, document in links.values_list(*columns):
        cards[segment].add(Card(url or "", title or "", quote, document, keys.get(url or "", "")))
    return {segment: sorted(of_segment, key=_alphabet) for segment, of_segment in cards.items()}


def frozen_evidence(assignment: Assignment, key: str) -> tuple[Snapshot, set[str]] | None:
    """The page that the key of a card names, and what the others quote from it; None where there is none."""
    links = _links_of_others(assignment)
    for url, snapshot in _first_frozen(links).items():
        if page_key(assignment, snapshot) == key:
            quotes = links.filter(url=url).exclude(quote="").values_list("quote", flat=True)
            return Snapshot.objects.get(pk=snapshot), set(quotes)
    return None


def page_key(assignment: Assignment, snapshot: int) -> str:
    """The opaque key of a snapshot (primary key) in the addresses of one assignment."""
    return salted_hmac("annotate.rebuttal.evidence", f"{assignment.pk}.{snapshot}", algorithm="sha256").hexdigest()[:22]


def _links_of_others(assignment: Assignment) -> QuerySet[ReferenceLink]:
    labels = Label.objects.filter(
        assignment__task=assignment.task_id, assignment__state=Assignment.State.SUBMITTED
    ).independent()
    return ReferenceLink.objects.filter(label__in=labels).exclude(label__assignment=assignment)


def _first_frozen(links: QuerySet[ReferenceLink]) -> dict[str, int]:
    """By address one snapshot, though it was fetched more than once: two would tell that two people cite the page."""
    frozen = links.filter(snapshot__state=Snapshot.State.DONE, url__isnull=False).order_by("-snapshot")
    return {url or "": snapshot for url, snapshot in frozen.values_list("url", "snapshot") if snapshot}


def _alphabet(card: Card) -> tuple[str, str, str]:
    return card.url, card.title, card.quote
