"""The pages of atomic facts: a dataset's responses by state, and the editor of one response's facts."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Q
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.facts.edit import SheetError, StaleFactsError, save
from annotate.facts.sent import FactsPayload, read_form, read_sent
from annotate.facts.sheet import FactDraft, FactSheet, read_sheet
from annotate.models import Dataset, Proposal, Response, Role, Segment
from annotate.proposals.fact_listing import STATES, boundaries_of, count_states, read_sets, responses_with_state
from annotate.proposals.pages import ask_context, proposal_context, propose_from, show_progress, stop_proposals
from annotate.segments.untouched import FixedError, why_fixed
from core.errors import not_saved

PER_PAGE = 50
KIND = Proposal.Kind.FACTS


@require_safe
def facts(request: MemberRequest, pk: int) -> HttpResponse:
    """The dataset's responses, each with how far its facts are."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR, Role.RESEARCHER)
    state = request.GET.get("state", "")
    sets, responses = read_sets(dataset), responses_with_state(dataset)
    counts = count_states(dataset, sets)
    if state in STATES:
        responses = responses.filter(Q(facts_state=state))
    pages = Paginator(responses, PER_PAGE)
    pages.count = counts.get(state, sum(counts.values()))
    role = role_in(request.user, dataset)
    context = {
        "dataset": dataset,
        "role": role,
        "tab": "facts",
        "states": STATES,
        "state": state,
        "counts": counts,
        "boundaries": boundaries_of(dataset, sets),
        "page": pages.get_page(request.GET.get("page")),
        **proposal_context(dataset, KIND),
        **ask_context(request, dataset, role),
    }
    return render(request, "facts/facts.html", context)


@require_safe
def facts_progress(request: MemberRequest, pk: int) -> HttpResponse:
    """The part of the page that proposals at work renew."""
    return show_progress(request, fetch_dataset(request.user, pk, Role.ADJUDICATOR, Role.RESEARCHER), KIND)


@require_POST
def facts_propose(request: MemberRequest, pk: int) -> HttpResponse:
    """Let a model propose the facts of the responses that were ticked, or of all that have none."""
    return propose_from(request, fetch_dataset(request.user, pk, Role.ADJUDICATOR), KIND, "facts")


@require_POST
def facts_stop(request: MemberRequest, pk: int) -> HttpResponse:
    """Ask the model nothing more."""
    return stop_proposals(request, fetch_dataset(request.user, pk, Role.ADJUDICATOR), KIND)


@require_http_methods(["GET", "HEAD", "POST"])
def facts_edit(request: MemberRequest, pk: int) -> HttpResponse:
    """The editor; a POST is the save of its plain form."""
    response = _fetch(request, pk)
    if request.method != "POST":
        return _show(request, response)
    try:
        sent = read_form(request.POST, read_sheet(response))
        _save(request, response, sent)
    except StaleFactsError as error:
        return _show(request, response, f"{not_saved(error)} What you wrote is still below.", 409)
    except (FixedError, SheetError) as error:
        return _show(request, response, str(error), 422)
    messages.success(request, "Finished." if sent.finish else "Saved as a draft.")
    return redirect("facts-edit", pk)


@require_POST
def facts_save(request: MemberRequest, pk: int) -> JsonResponse:
    """The script's save: 200 with the new version, 409 with what stands where that was stale, 422 with the error."""
    response = _fetch(request, pk)
    try:
        sheet = _save(request, response, read_sent(request))
    except StaleFactsError as error:
        author = error.sheet.people.author if error.sheet.people else None
        stands = {"by": author.username if author else "", "standing": error.sheet.standing, **_wire(error.sheet)}
        return JsonResponse(stands, status=409)
    except (FixedError, SheetError) as error:
        return JsonResponse({"error": str(error)}, status=422)
    return JsonResponse({"version": sheet.version, "finished": sheet.finished, "standing": sheet.standing})


def _fetch(request: MemberRequest, pk: int) -> Response:
    visible = Response.objects.visible().select_related("dataset", "prompt", "task")
    return fetch_in_dataset(request.user, visible, pk, "dataset", Role.ADJUDICATOR)


def _save(request: MemberRequest, response: Response, sent: FactsPayload) -> FactSheet:
    return save(response, request.user, sent.version, sent.changes, finish=sent.finish)


def _show(request: MemberRequest, response: Response, error: str = "", status: int = 200) -> HttpResponse:
    sheet = read_sheet(response)
    fixed = why_fixed(response, KIND)
    written = {
        each.segment.pk: request.POST.get(f"sentence-{each.segment.pk}", "\n".join(piece.text for piece in each.pieces))
        for each in sheet.sentences
    }
    context = {
        "dataset": response.dataset,
        "role": role_in(request.user, response.dataset),
        "tab": "facts",
        "response": response,
        "sheet": sheet,
        "sentences": [(each, written[each.segment.pk]) for each in sheet.sentences],
        "fixed": fixed,
        "error": error,
        "page": {"kind": "facts", "mirror": f"touchstone.facts.{request.user.pk}.{response.pk}", **_wire(sheet)},
        **_neighbours(response.dataset, response),
    }
    return render(request, "facts/edit.html", context, status=status)


def _neighbours(dataset: Dataset, response: Response) -> dict[str, Any]:
    with_sentences = Exists(Segment.objects.filter(response=OuterRef("pk")))
    others = dataset.responses.visible().filter(with_sentences).only("dataset")
    return {
        "before": others.filter(position__lt=response.position).order_by("-position").first(),
        "after": others.filter(position__gt=response.position).order_by("position").first(),
    }


def _wire(sheet: FactSheet) -> dict[str, Any]:
    return {
        "version": sheet.version,
        "finished": sheet.finished,
        "sentences": {str(each.segment.pk): [_piece(piece) for piece in each.pieces] for each in sheet.sentences},
    }


def _piece(piece: FactDraft) -> dict[str, Any]:
    return {"text": piece.text, "from": list(piece.derived_from)}
