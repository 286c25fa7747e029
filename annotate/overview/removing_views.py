"""The page on which responses are removed by selection, and brought back."""

from collections.abc import Sequence

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest, fetch_dataset
from annotate.adjudication.decide import DecisionError
from annotate.adjudication.remove import removals_of, remove, restore
from annotate.corpus.finding import STATES, Search, may_have_details, rows_of
from annotate.models import Dataset, Role
from audit.models import Action
from audit.record import record

PER_PAGE = 50
# Removed ones that are listed, the latest first.
SHOWN = 200


@require_http_methods(["GET", "HEAD", "POST"])
def responses(request: MemberRequest, pk: int) -> HttpResponse:
    """The responses that the filters find. Chosen ones, or all that are found, are removed for a reason; removed ones
    are brought back."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    search = Search.read(request.GET)
    error = ""
    if request.method == "POST":
        try:
            _change(request, dataset, search)
        except DecisionError as fault:
            error = str(fault)
        else:
            return redirect(request.get_full_path())
    page = Paginator(search.find(dataset), PER_PAGE).get_page(request.GET.get("page"))
    prompts = dataset.prompts.exclude(domain="").order_by("domain")
    subjects = dataset.responses.exclude(subject="").order_by("subject")
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "overview",
        "search": search,
        "page": page,
        "rows": rows_of([*page.object_list]),
        "domains": prompts.values_list("domain", flat=True).distinct(),
        "subjects": subjects.values_list("subject", flat=True).distinct(),
        "imports": dataset.imports.filter(finished_at__isnull=False),
        "states": STATES,
        "has_details": may_have_details(dataset),
        "removals": removals_of(dataset)[:SHOWN],
        "chosen": set(_numbers(request.POST.getlist("response"))),
        "why": request.POST.get("why", ""),
        "error": error,
    }
    return render(request, "annotate/responses.html", context, status=422 if error else 200)


def _change(request: MemberRequest, dataset: Dataset, search: Search) -> None:
    chosen: Sequence[int] = _numbers(request.POST.getlist("response"))
    if "all" in request.POST:
        chosen = list(search.find(dataset))
    if not chosen:
        raise DecisionError("choose at least one response")
    with transaction.atomic():
        if "restore" in request.POST:
            number, action, words = restore(dataset, chosen, request.user), Action.RESPONSES_BACK, "brought back"
            why = ""
        else:
            why = request.POST.get("why", "")
            number, action, words = remove(dataset, chosen, request.user, why), Action.RESPONSES_REMOVED, "removed"
        record(request, action, dataset, detail=f"{number} responses")
    messages.success(request, f"{number:,} response{'' if number == 1 else 's'} {words}.")


def _numbers(texts: Sequence[str]) -> list[int]:
    return [int(text) for text in texts if text.isdecimal() and len(text) < 19]
