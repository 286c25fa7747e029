"""The adjudicator's pages: the queue, one address, what all agree on."""

from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotate.access import MemberRequest, fetch_dataset
from annotate.adjudication.adjudication_case import AdjudicationCase, comments_on
from annotate.adjudication.decide import DecisionError
from annotate.adjudication.fetch_case import fetch_case
from annotate.adjudication.forms import DecisionForm
from annotate.adjudication.majority import SHARES, accept_majorities, majorities_in
from annotate.adjudication.queue import AdjudicationQueue, categories_of, queue_of
from annotate.adjudication.unanimous import accept_unanimous, unanimous_in
from annotate.adjudication.whole import edited_sentences
from annotate.cases.addresses import OpenCase
from annotate.corpus.highlight import pieces
from annotate.feedback.listing import open_rows
from annotate.judgements.units import passages_of
from annotate.models import (
    AtomicFact,
    Dataset,
    Disagreement,
    Irrelevance,
    Role,
    Segment,
    Stance,
    Unsupported,
    User,
    Value,
    ViewReceipt,
)
from annotate.models.shared_conversation import is_open
from annotate.people.receipts import note_receipts
from core.errors import not_saved
from core.numbers import read_number

AHEAD = 30
PREVIEWED = 100


@never_cache
@require_GET
def adjudicate(request: MemberRequest, pk: int) -> HttpResponse:
    """The queue, its next case open. ?slice= narrows it, ?after= goes on behind one, ?before= goes back, ?settled=
    offers the last one's change."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    queue = queue_of(dataset, request.GET.get("slice", ""))
    before = request.GET.get("before", "")
    next_case = queue.before(before) if before else queue.at(request.GET.get("after", ""))
    case = fetch_case(request.user, next_case.segment, next_case.fact) if next_case else None
    context = {**_context(request, dataset, queue, case), **_case(dataset, case)}
    context["settled"] = _settled(request, dataset)
    return render(request, _template(request), context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def adjudicate_unit(request: MemberRequest, pk: int, segment: int, fact: int | None = None) -> HttpResponse:
    """One address, to settle it or to change its decision."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    case = fetch_case(request.user, segment, fact, dataset)
    form = DecisionForm(request.POST) if request.method == "POST" else None
    chosen = request.POST.get("slice", request.GET.get("slice", ""))
    trouble = _settle(form, case, request) if form else ""
    if form and not trouble:
        on = urlencode({"slice": chosen, "settled": case.key, "after": request.POST.get("after", "")})
        return redirect(f"{reverse('adjudicate', args=[pk])}?{on}")
    if trouble:
        case = fetch_case(request.user, segment, fact, dataset)
    context = {
        **_context(request, dataset, queue_of(dataset, chosen), case),
        **_case(dataset, case),
    }
    context |= {"trouble": trouble, "posted": request.POST}
    return render(request, _template(request), context, status=422 if trouble else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unanimous(request: MemberRequest, pk: int) -> HttpResponse:
    """Unanimous judgements: counted, shown in part, accepted in bulk under one's name."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    if request.method == "POST":
        expected = read_number(request.POST.get("expected", ""))
        try:
            number = accept_unanimous(dataset, request.user, request.POST.get("why", ""), expected)
        except DecisionError as error:
            messages.error(request, f"Not accepted: {error}.")
        else:
            messages.success(request, f"{number:,} unanimous units are now gold, under your name.")
            return redirect("adjudicate", dataset.pk)
    context = {**_unanimous(dataset, request.user), "why": request.POST.get("why", "")}
    return render(request, "adjudication/unanimous.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def majorities(request: MemberRequest, pk: int) -> HttpResponse:
    """Units on which a clear majority says the same: shown in part, accepted in bulk by a rule and under one's name."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    asked = request.POST if request.method == "POST" else request.GET
    share = str(asked.get("share"))
    share = share if share in SHARES else "2/3"
    if request.method == "POST":
        expected = read_number(request.POST.get("expected", "")) or 0
        try:
            number = accept_majorities(dataset, share, request.user, request.POST.get("why", ""), expected)
        except DecisionError as error:
            messages.error(request, f"Not accepted: {error}.")
        else:
            units = "unit" if number == 1 else "units"
            messages.success(request, f"Gold by majority, under your name: {number:,} {units}.")
            return redirect("adjudicate", dataset.pk)
    cases = majorities_in(dataset, share)
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "adjudicate",
        "total": len(cases),
        "previewed": _previewed(cases, request.user),
        "shares": SHARES,
        "share": share,
        "why": request.POST.get("why", f"Majority: {SHARES[share]} of the annotators say so."),
    }
    return render(request, "adjudication/majorities.html", context)


def _settle(form: DecisionForm, case: AdjudicationCase, request: MemberRequest) -> str:
    """Make the form's decision; the error in its way, or "" once it is made."""
    if not form.is_valid():
        return " ".join(str(error) for errors in form.errors.values() for error in errors)
    try:
        form.settle(case, request.user)
    except DecisionError as error:
        return not_saved(error)
    return ""


def _template(request: MemberRequest) -> str:
    return "adjudication/queue.html#queue" if request.htmx else "adjudication/queue.html"


def _context(
    request: MemberRequest, dataset: Dataset, queue: AdjudicationQueue, case: AdjudicationCase | None
) -> dict[str, object]:
    ahead = queue.cases[:AHEAD]
    # The receipt for the open case is written where the case is read.
    others = {case.task for case in ahead if case.votes} - {case.segment.response.task_id if case else None}
    note_receipts(others, request.user, ViewReceipt.What.LABELS)
    return {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "adjudicate",
        "queue": queue,
        "ahead": ahead,
        "after": _after(request, queue, case),
        "names": "names" in request.GET,
        "categories": Disagreement.choices,
        "tags": Unsupported.choices,
        "stances": Stance.choices,
        "irrelevances": Irrelevance.choices,
        "about": categories_of(dataset),
        "challenges": sum(case.challenged for case in queue.cases),
        "values": [choice for choice in dataset.values if dataset.scheme != "felm" or choice[0] != Value.IRRELEVANT],
    }


def _after(request: MemberRequest, queue: AdjudicationQueue, case: AdjudicationCase | None) -> str:
    """Behind which case to go on once this one is settled. One that waits no more says it as the page before it did, so
    that a reader who changes a decision comes back to where they were."""
    behind = queue.behind(case.key) if case else None
    return request.POST.get("after", request.GET.get("after", "")) if behind is None else behind


def _case(dataset: Dataset, case: AdjudicationCase | None) -> dict[str, object]:
    if case is None:
        return {"adjudication_case": None}
    response = case.segment.response
    return {
        "adjudication_case": case,
        "response": response,
        "pieces": pieces(response.text, list(response.segments.all())),
        "references": response.references.all(),
        "passages": passages_of(case.segment),
        "own_key": max(3, len(case.sides) + 1),
        "comments": comments_on(response.task_id),
        "shared_conversation": response.task_id is not None and is_open(response.task_id),
        "edited": next((each for each in edited_sentences(response) if each.segment == case.segment), None),
        "doubts": [row for row in open_rows(dataset) if row.address == case.address],
    }


def _settled(request: MemberRequest, dataset: Dataset) -> AdjudicationCase | None:
    """The last decision, so that the page can offer to change it."""
    segment_key, _, fact_key = request.GET.get("settled", "").partition(".")
    segment, fact = read_number(segment_key), read_number(fact_key)
    if segment is None or (fact_key and fact is None):
        return None
    return fetch_case(request.user, segment, fact, dataset)


def _unanimous(dataset: Dataset, reader: User) -> dict[str, object]:
    agreed = unanimous_in(dataset)
    cases = agreed.cases
    return {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "adjudicate",
        "total": agreed.number,
        "judged": len(cases),
        "corrections": agreed.corrections,
        "corrected": agreed.corrected,
        "counts": sorted(Counter((len(case.votes), case.votes[0].value) for case in cases).items()),
        "alone": sum(len(case.votes) == 1 for case in cases),
        "previewed": _previewed(cases, reader),
    }


def _previewed(cases: Sequence[OpenCase], reader: User) -> list[dict[str, object]]:
    """The first of them with their texts, which the reader has seen now."""
    previewed = cases[:PREVIEWED]
    note_receipts({case.task for case in previewed}, reader, ViewReceipt.What.LABELS)
    segments = Segment.objects.select_related("response").in_bulk([case.segment for case in previewed])
    facts = AtomicFact.objects.in_bulk([case.fact for case in previewed if case.fact])
    return [{"case": case, "segment": segments[case.segment], "fact": facts.get(case.fact or 0)} for case in previewed]
