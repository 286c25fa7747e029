"""The pages that an annotator asks for, each fetched for their assignment alone."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from annotate.judgements.entries import draft_of
from annotate.judgements.judgement import UnitJudgement
from annotate.links.requested_page_job import RequestedPageJob
from annotate.models import Assignment, ReferenceLink, RequestedPage
from jobs.enqueue import enqueue_waiting
from knowledge.fetching.request import DEAD_FOR, address_of


@transaction.atomic
def request_page(assignment: Assignment, url: str) -> RequestedPage:
    """The assignment's own fetch of the address (canonical), asked for now where there is none; one that failed long
    ago is asked for again. Nothing here depends on what others have asked for."""
    own = assignment.requested_pages.filter(url=url)
    own.failed().filter(settled_at__lte=timezone.now() - DEAD_FOR).delete()
    requested, is_new = own.get_or_create(defaults={"assignment": assignment, "url": url})
    if is_new:
        transaction.on_commit(_enqueue_waiting)
    return requested


def _enqueue_waiting() -> None:
    enqueue_waiting(RequestedPageJob())


def own_snapshots(assignments: Iterable[int]) -> dict[tuple[int, str], int]:
    """The snapshots (primary keys) of the pages fetched for assignments, by assignment and address."""
    done = RequestedPage.objects.done().filter(assignment__in=assignments)
    rows = done.values_list("assignment", "url", "snapshot")
    return {(assignment, url): snapshot for assignment, url, snapshot in rows if snapshot is not None}


def quotes_of(requested: RequestedPage) -> set[str]:
    """What the annotator quotes from the page: in the draft and in the labels of the assignment."""
    assignment = requested.assignment
    judged = [entry for entry in draft_of(assignment).values() if isinstance(entry, UnitJudgement)]
    cited = [(card.url, card.quote) for entry in judged for card in entry.references]
    links = ReferenceLink.objects.filter(label__assignment=assignment, url__isnull=False)
    cited += [(url or "", quote) for url, quote in links.values_list("url", "quote")]
    return {quote for url, quote in cited if quote and address_of(url) == requested.url}
