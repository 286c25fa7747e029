"""The citations of the others without their judgements: source and quoted passage, neither value nor stance."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import QuerySet

from annotate.models import Assignment, ReferenceLink
from knowledge.models import Snapshot


@dataclass(frozen=True)
class Card:
    """A source and the passage quoted from it; `title` is that of a page of the knowledge source, "" without one.

    `snapshot` is the key of the page as it was frozen, None where it was not.
    """

    url: str
    title: str
    quote: str
    snapshot: int | None


def evidence_of_others(assignment: Assignment) -> dict[int, list[Card]]:
    """The evidence that the other annotators of the task submitted, by segment (primary key).

    Alphabetically and each card once, so that nobody can tell who gave what or how many did. By segment also where
    facts are judged: a card on a sentence as a whole would tell that somebody calls it irrelevant. What was cited in
    the rebuttal itself is left out: it would tell who changed their mind.
    """
    links = ReferenceLink.objects.filter(
        label__assignment__task=assignment.task_id,
        label__assignment__state=Assignment.State.SUBMITTED,
        label__revision=0,
    ).exclude(label__assignment=assignment)
    frozen = _first_frozen(links)
    cards: defaultdict[int, set[Card]] = defaultdict(set)
    for segment, url, title, quote in links.values_list("label__segment", "url", "document__title", "quote"):
        cards[segment].add(Card(url or "", title or "", quote, frozen.get(url or "")))
    return {segment: sorted(of_segment, key=_alphabet) for segment, of_segment in cards.items()}


def _first_frozen(links: QuerySet[ReferenceLink]) -> dict[str, int]:
    """By address one snapshot, though it was fetched more than once: two would tell that two people cite the page."""
    frozen = links.filter(snapshot__state=Snapshot.State.DONE, url__isnull=False).order_by("-snapshot")
    return {url or "": snapshot for url, snapshot in frozen.values_list("url", "snapshot") if snapshot}


def _alphabet(card: Card) -> tuple[str, str, str]:
    return card.url, card.title, card.quote
