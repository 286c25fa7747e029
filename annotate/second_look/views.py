"""The pages of second looks: one unit after the other for annotators, what contradicts gold for adjudicators."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.corpus.highlight import pieces
from annotate.evidence.find import find
from annotate.models import Dataset, Irrelevance, Look, LookItem, Role, Scheme, Value
from annotate.second_look.cases import Case, cases_of, open_cases, settled_cases
from annotate.second_look.forms import LookForm
from annotate.second_look.say import LateError, LookError, last_look, next_item, open_items, say, shown_items
from annotate.second_look.settle import SettleError, last_decided, take, uphold

PER_PAGE = 25


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def second_looks(request: MemberRequest, pk: int) -> HttpResponse:
    """The annotator's next unit, or the one they looked at last to change it (?last)."""
    dataset = fetch_dataset(request.user, pk, Role.ANNOTATOR)
    if request.method == "POST":
        return _say(request, dataset)
    look = last_look(dataset, request.user) if "last" in request.GET else None
    item = shown_items().get(pk=look.item_id) if look else next_item(dataset, request.user)
    return _page(request, dataset, item, look=look)


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
    """What an adjudicator has to settle, and what was settled."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    waiting = open_cases(dataset)
    page = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "second-look-cases",
        "case": _shown(waiting[0]) if waiting else None,
        "waiting": len(waiting),
        "lacking": LookItem.objects.of(dataset).lacking().count(),
        "settled": Paginator(settled_cases(dataset), PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "second_look/cases.html", page)


@require_POST
def second_look_settle(request: MemberRequest, pk: int) -> HttpResponse:
    """Take what was said in a look (`look`), or uphold gold (`look` empty)."""
    item = fetch_in_dataset(request.user, shown_items(), pk, "second_look.dataset", Role.ADJUDICATOR)
    dataset = item.second_look.dataset
    (case,) = cases_of(LookItem.objects.filter(pk=item.pk))
    chosen, seen, why = (request.POST.get(name, "") for name in ("look", "seen", "why"))
    try:
        if chosen == "gold":
            uphold(case, why, request.user)
        else:
            look = next((each for each in case.looks if str(each.pk) == chosen), None)
            if look is None:
                raise SettleError("Say whether gold stands or is changed.")
            take(case, look, why, request.user, int(seen) if seen.isdecimal() else None)
    except SettleError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Settled.")
    return redirect("second-look-cases", dataset.pk)


def _say(request: MemberRequest, dataset: Dataset) -> HttpResponse:
    key = request.POST.get("item", "")
    items = shown_items().of(dataset)
    item = get_object_or_404(items, pk=key if key.isdecimal() else 0)
    look = _require_own(request, item)
    form = LookForm(request.POST)
    trouble = "" if form.is_valid() else form.trouble
    if not trouble:
        try:
            say(item, request.user, form.judgement())
        except LateError as error:
            messages.info(request, str(error))
        except LookError as error:
            trouble = str(error)
    if trouble:
        return _page(request, dataset, item, look, trouble)
    return redirect("second-looks", dataset.pk)


def _require_own(request: MemberRequest, item: LookItem) -> Look | None:
    """The person's own look at the item; Http404 where they have none and may not look at it either."""
    look = item.looks.filter(who=request.user).first()
    if look is None and not LookItem.objects.filter(pk=item.pk).for_looker(request.user).exists():
        raise Http404("No such unit.")
    return look


def _page(
    request: MemberRequest, dataset: Dataset, item: LookItem | None, look: Look | None = None, trouble: str = ""
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
        "said": _said(request, look, trouble),
        "trouble": trouble,
    }
    if item is not None:
        response = item.segment.response
        page |= {"response": response, "pieces": pieces(response.text, list(response.segments.all()))}
        page |= {"references": response.references.all()}
    return render(request, "second_look/look.html", page, status=422 if trouble else 200)


def _values(dataset: Dataset) -> list[tuple[str, str]]:
    """FELM's scheme has the value irrelevant by way of the type."""
    every = [(value, str(words)) for value, words in Value.choices]
    return [each for each in every if dataset.scheme != Scheme.FELM or each[0] != Value.IRRELEVANT]


def _said(request: MemberRequest, look: Look | None, trouble: str) -> dict[str, str]:
    """What stands in the form: as it was sent, or as it was said before."""
    names = ("value", "error_type", "irrelevance", "reason", "links")
    if trouble:
        return {name: request.POST.get(name, "") for name in names}
    if look is None:
        return dict.fromkeys(names, "")
    value = Value.NOT_SUPPORTED if look.error_type else look.value
    kept = {"value": str(value), "error_type": look.error_type, "irrelevance": look.irrelevance}
    return {**kept, "reason": look.reason, "links": "\n".join(look.links)}


def _shown(case: Case) -> dict[str, Any]:
    response = case.item.segment.response
    return {
        "case": case,
        "response": response,
        "pieces": pieces(response.text, list(response.segments.all())),
        "references": response.references.all(),
        "seen": last_decided(case),
    }
