"""The pages of second looks: one unit after the other for annotators, open cases for adjudicators."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.corpus.highlight import pieces
from annotate.evidence.find import find
from annotate.judgements.units import passages_of
from annotate.models import Dataset, Irrelevance, Role, Scheme, SecondLookItem, SecondLookRating, Value, ViewReceipt
from annotate.models.second_look import SecondLookItemQuerySet
from annotate.people.receipts import note_receipts
from annotate.second_look.cases import LookCase, LookStatus, cases_of, open_cases, settled_items
from annotate.second_look.look import LookForm, last_look, look_at, next_item, open_items
from annotate.second_look.settle import state_of, take, uphold
from core.numbers import read_number
from ratings.errors import SettleError
from ratings.pages import RatingPage

PER_PAGE = 25


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def second_looks(request: MemberRequest, pk: int) -> HttpResponse:
    return LookPage(request, fetch_dataset(request.user, pk, Role.ANNOTATOR)).respond()


class LookPage(RatingPage[SecondLookItem]):
    """The units of all second looks of a dataset, which is the page's sample."""

    template = "second_look/look.html"
    form_class = LookForm
    missing = "No such unit."

    def items(self) -> SecondLookItemQuerySet:
        return SecondLookItem.objects.for_page().of(self.sample).readable_by(self.rater)

    def next_item(self) -> SecondLookItem | None:
        return next_item(self.sample, self.rater)

    def last_item(self) -> SecondLookItem | None:
        look = last_look(self.sample, self.rater)
        return None if look is None else SecondLookItem.objects.for_page().get(pk=look.item_id)

    def ratings(self) -> QuerySet[SecondLookRating]:
        return SecondLookRating.objects.filter(item__sample__dataset=self.sample, rater=self.rater)

    def write(self, item: SecondLookItem, form: LookForm) -> None:
        look_at(item, self.rater, form.judgement())

    def context(self, item: SecondLookItem | None) -> dict[str, Any]:
        dataset: Dataset = self.sample
        page = {
            "dataset": dataset,
            "role": Role.ANNOTATOR,
            "tab": "second-looks",
            "left": open_items(dataset, self.rater).count(),
            "values": _values(dataset),
            "error_types": dataset.error_types if dataset.scheme == Scheme.FELM else [],
            "irrelevances": Irrelevance.choices if dataset.scheme == Scheme.FACTSCORE else [],
        }
        return page if item is None else {**page, **_unit(item)}


@require_GET
def evidence(request: MemberRequest, pk: int) -> HttpResponse:
    """Passages for ?q= beside a unit that the annotator may look at."""
    items = SecondLookItem.objects.for_page()
    item = fetch_in_dataset(request.user, items, pk, "sample.dataset", Role.ANNOTATOR)
    if not items.readable_by(request.user).filter(pk=pk).exists():
        raise Http404("No such unit.")
    dataset = item.sample.dataset
    query = request.GET.get("q", "").strip()
    page = {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": "second-looks",
        "query": query,
        "findings": find(dataset, [item.segment.response], query),
        "back": reverse("second-looks", args=[dataset.pk]),
    }
    return render(request, "evidence/search.html", page)


@never_cache
@require_GET
def second_look_cases(request: MemberRequest, pk: int) -> HttpResponse:
    """The case to settle, and the settled ones; HTMX swaps all of it."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    waiting = open_cases(dataset)
    return _cases_page(request, dataset, waiting, waiting[0] if waiting else None)


@require_POST
def second_look_settle(request: MemberRequest, pk: int) -> HttpResponse:
    """Make the judgement of a look (`look`) gold, or uphold gold (`look` is "gold")."""
    item = fetch_in_dataset(request.user, SecondLookItem.objects.for_page(), pk, "sample.dataset", Role.ADJUDICATOR)
    dataset = item.sample.dataset
    chosen, seen, why = (request.POST.get(name, "") for name in ("look", "seen", "why"))
    try:
        if chosen == "gold":
            uphold(item, why, request.user, seen)
        else:
            take(item, read_number(chosen) or 0, why, request.user, seen)
    except SettleError as error:
        (case,) = cases_of(SecondLookItem.objects.filter(pk=item.pk))
        return _cases_page(request, dataset, open_cases(dataset), case, str(error))
    messages.success(request, "Adjudicated.")
    return redirect("second-look-cases", dataset.pk)


def _cases_page(
    request: MemberRequest, dataset: Dataset, waiting: list[LookCase], case: LookCase | None, trouble: str = ""
) -> HttpResponse:
    settled = Paginator(settled_items(dataset), PER_PAGE).get_page(request.GET.get("page"))
    cases = cases_of(settled_items(dataset).filter(pk__in=[item.pk for item in settled]))
    tasks = [each.item.segment.response.task_id for each in ([*cases, case] if case else cases)]
    note_receipts([task for task in tasks if task is not None], request.user, ViewReceipt.What.LABELS)
    page = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "second-look-cases",
        "case": _case_to_settle(case, request) if case else None,
        "trouble": trouble,
        "waiting": len(waiting),
        "lacking": SecondLookItem.objects.of(dataset).visible().lacking().count(),
        "settled": settled,
        "settled_cases": cases,
    }
    template = "second_look/cases.html#cases" if request.htmx else "second_look/cases.html"
    return render(request, template, page, status=422 if trouble else 200)


def _values(dataset: Dataset) -> list[tuple[str, str]]:
    """In FELM's scheme irrelevant is an error type, not a value."""
    return [each for each in dataset.values if dataset.scheme != Scheme.FELM or each[0] != Value.IRRELEVANT]


def _case_to_settle(case: LookCase, request: MemberRequest) -> dict[str, Any]:
    """The case with the values of the form; the choice only where the case has not changed since."""
    state, sent = state_of(case), request.POST
    return {
        **_unit(case.item),
        "case": case,
        "seen": state,
        "is_open": case.status is LookStatus.OPEN,
        "chosen": sent.get("look", "") if sent.get("seen") == state else "",
        "why": sent.get("why", ""),
    }


def _unit(item: SecondLookItem) -> dict[str, Any]:
    """The context of templates/second_look/unit.html."""
    response = item.segment.response
    return {
        "here": item.segment_id,
        "response": response,
        "pieces": pieces(response.text, list(response.segments.all())),
        "references": response.references.all(),
        "passages": passages_of(item.segment),
    }
