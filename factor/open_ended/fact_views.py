"""The page on which minimal facts are written, one pair after the other."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest
from core.numbers import read_number
from factor.models import OpenEndedPair
from factor.models.open_ended import OF_PAIR
from factor.open_ended.facts import unwritten, write_fact
from factor.open_ended.forms import FactForm
from factor.open_ended.page import fetch_study, page_of_study, read_pair
from ratings.pages import RatingPage


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_ended_facts(request: MemberRequest, pk: int) -> HttpResponse:
    """The next pair that lacks its fact, or the one in the query (`?at=`, its place from 1)."""
    return FactPage(request, fetch_study(request, pk)).respond()


class FactPage(RatingPage[OpenEndedPair]):
    """The pairs of a study. A fact is the study's, so everybody changes the same one."""

    template = "factor/open_ended_facts.html"
    form_class = FactForm
    base = "factor/benchmark_base.html"
    key = "pair"
    missing = "No such pair."

    def items(self) -> QuerySet[OpenEndedPair]:
        pairs: QuerySet[OpenEndedPair] = self.sample.pairs.all()
        return pairs

    def requested_item(self) -> OpenEndedPair | None:
        at = read_number(self.request.GET.get("at", ""))
        return None if at is None else self.items().filter(position=at - 1).first()

    def next_item(self) -> OpenEndedPair | None:
        return unwritten(self.sample).first()

    def last_item(self) -> None:
        return None

    def own_rating(self, item: OpenEndedPair) -> OpenEndedPair:
        return item

    def done(self) -> int:
        return self.items().count() - unwritten(self.sample).count()

    def write(self, item: OpenEndedPair, form: FactForm) -> None:
        write_fact(item, self.rater, **form.checked())

    def context(self, item: OpenEndedPair | None) -> dict[str, Any]:
        total = self.items().count()
        return {
            **page_of_study(self.request, self.sample),
            "reading": None if item is None else read_pair(item),
            "reasons": [(reason.value, reason.label) for reason in OF_PAIR],
            "total": total,
            # Places as people count them, from 1.
            "earlier": (item.position if item is not None else total) or None,
            "later": item.position + 2 if item is not None and item.position + 1 < total else None,
        }
