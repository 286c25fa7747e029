"""The pages of second looks: one unit after the other for annotators, what contradicts gold for adjudicators."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.corpus.highlight import pieces
from annotate.evidence.find import find
from annotate.models import Dataset, Irrelevance, Look, LookItem, Role, Scheme, Value, ViewReceipt
from annotate.one_by_one import posted_item, take_word
from annotate.people.receipts import note_receipts
from annotate.second_look.cases import Case, Standing, cases_of, open_cases, settled_items
from annotate.second_look.forms import LookForm
from annotate.second_look.say import last_look, next_item, open_items, say, shown_items
from annotate.second_look.settle import SettleError, state_of, take, uphold
from core.numbers import read_number

PER_PAGE = 25


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def second_looks(request: MemberRequest, pk: int) -> HttpResponse:
    """The annotator's next unit, or the one they looked at last to change it (?last); HTMX swaps only that."""
    dataset = fetch_dataset(request.user, pk, Role.ANNOTATOR)
    if request.method == "POST":
        return _say(request, dataset)
    look = last_look(dataset, request.user) if "last" in request.GET else None
    if look is None:
        return _next_page(request, dataset)
    return _page(request, dataset, shown_items().get(pk=look.item_id), look)


@require_GET
def evidence(request: MemberRequest, pk: int) -> HttpResponse:
    """Passages for ?q= beside a unit that the annotator may look at."""
    item = fetch_in_dataset(request.user, shown_items(), pk, "second_look.dataset", Role.ANNOTATOR)
    dataset = item.second_look.dataset
    _require_own(request, item)
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
    """What an adjudicator has to settle, and what was settled; HTMX swaps all of it."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    waiting = open_cases(dataset)
    return _cases_page(request, dataset, waiting, waiting[0] if waiting else None)


@require_POST
def second_look_settle(request: MemberRequest, pk: int) -> HttpResponse:
    """Take what was said in a look (`look`), or uphold gold (`look` is "gold")."""
    item = fetch_in_dataset(request.user, shown_items(), pk, "second_look.dataset", Role.ADJUDICATOR)
    dataset = item.second_look.dataset
    chosen, seen, why = (request.POST.get(name, "") for name in ("look", "seen", "why"))
    try:
        if chosen == "gold":
            uphold(item, why, request.user, seen)
        else:
            take(item, read_number(chosen) or 0, why, request.user, seen)
    except SettleError as error:
        (case,) = cases_of(LookItem.objects.filter(pk=item.pk))
        return _cases_page(request, dataset, open_cases(dataset), case, str(error))
    messages.success(request, "Settled.")
    return redirect("second-look-cases", dataset.pk)


def _cases_page(
    request: MemberRequest, dataset: Dataset, waiting: list[Case], case: Case | None, trouble: str = ""
) -> HttpResponse:
    settled = Paginator(settled_items(dataset), PER_PAGE).get_page(request.GET.get("page"))
    cases = cases_of(settled_items(dataset).filter(pk__in=[item.pk for item in settled]))
    shown = [each.item.segment.response.task_id for each in ([*cases, case] if case else cases)]
    note_receipts([task for task in shown if task is not None], request.user, ViewReceipt.What.LABELS)
    page = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "second-look-cases",
        "case": _shown(case, request) if case else None,
        "trouble": trouble,
        "waiting": len(waiting),
        "lacking": LookItem.objects.of(dataset).lacking().count(),
        "settled": settled,
        "settled_cases": cases,
    }
    template = "second_look/cases.html#cases" if request.htmx else "second_look/cases.html"
    return render(request, template, page, status=422 if trouble else 200)


def _say(request: MemberRequest, dataset: Dataset) -> HttpResponse:
    item = posted_item(request, shown_items().of(dataset), "No such unit.")
    look, form = _require_own(request, item), LookForm(request.POST)
    return take_word(
        request,
        lambda: say(item, request.user, form.judgement()),
        again=partial(_page, request, dataset, item, look, form),
        following=partial(_next_page, request, dataset),
    )


def _require_own(request: MemberRequest, item: LookItem) -> Look | None:
    """The person's own look at the item; Http404 where they have none and may not look at it either."""
    look = item.looks.filter(who=request.user).first()
    if look is None and not LookItem.objects.filter(pk=item.pk).for_looker(request.user).exists():
        raise Http404("No such unit.")
    return look


def _next_page(request: MemberRequest, dataset: Dataset, status: int = 200, trouble: str = "") -> HttpResponse:
    return _page(request, dataset, next_item(dataset, request.user), None, None, status, trouble)


def _page(
    request: MemberRequest,
    dataset: Dataset,
    item: LookItem | None,
    look: Look | None,
    form: LookForm | None = None,
    status: int = 200,
    trouble: str = "",
) -> HttpResponse:
    page: dict[str, Any] = {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": "second-looks",
        "item": item,
        "look": look,
        "left": open_items(dataset, request.user).count(),
        "done": Look.objects.filter(item__second_look__dataset=dataset, who=request.user).count(),
        "may_change": look is None and last_look(dataset, request.user) is not None,
        "values": _values(dataset),
        "error_types": dataset.error_types if dataset.scheme == Scheme.FELM else [],
        "irrelevances": Irrelevance.choices if dataset.scheme == Scheme.FACTSCORE else [],
        "said": _said(form, look),
        "trouble": trouble,
    }
    if item is not None:
        response = item.segment.response
        page |= {"response": response, "pieces": pieces(response.text, list(response.segments.all()))}
        page |= {"references": response.references.all()}
    template = "second_look/look.html#item" if request.htmx else "second_look/look.html"
    return render(request, template, page, status=status)


def _values(dataset: Dataset) -> list[tuple[str, str]]:
    """FELM's scheme has the value irrelevant by way of the type."""
    every = [(value, str(words)) for value, words in Value.choices]
    return [each for each in every if dataset.scheme != Scheme.FELM or each[0] != Value.IRRELEVANT]


def _said(form: LookForm | None, look: Look | None) -> dict[str, str]:
    """What stands in the form: as it was sent, or as it was said before."""
    if form is not None:
        return {name: str(form[name].value() or "") for name in form.fields}
    if look is None:
        return {}
    value = Value.NOT_SUPPORTED if look.error_type else look.value
    kept = {"value": str(value), "error_type": look.error_type, "irrelevance": look.irrelevance}
    return {**kept, "reason": look.reason, "links": "\n".join(look.links)}


def _shown(case: Case, request: MemberRequest) -> dict[str, Any]:
    """With what was chosen and written in the form: a choice only if it was made of what stands there now."""
    response, state, said = case.item.segment.response, state_of(case), request.POST
    return {
        "case": case,
        "response": response,
        "pieces": pieces(response.text, list(response.segments.all())),
        "references": response.references.all(),
        "seen": state,
        "is_open": case.standing is Standing.OPEN,
        "chosen": said.get("look", "") if said.get("seen") == state else "",
        "why": said.get("why", ""),
    }
