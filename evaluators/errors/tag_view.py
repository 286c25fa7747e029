"""The tagging page: one mistake after the other."""

from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest, role_in
from evaluators.errors.causes import causes_of
from evaluators.errors.forms import TagForm
from evaluators.errors.shown import show
from evaluators.errors.tag import hand_in, tag, tagger_of, take_place, undo
from evaluators.errors.views import fetch_analysis
from evaluators.models import ErrorAnalysis, Mistake, Tagger
from ratings.errors import RatingError


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tag_mistakes(request: MemberRequest, pk: int) -> HttpResponse:
    """?at= names a place, counted from 1; without it the first mistake that has no tag of one's own. What is sent
    tags it (`cause`), takes the last tag back (`undo`) or hands all in (`hand-in`)."""
    analysis = fetch_analysis(request, pk)
    if request.method == "POST":
        return _write(request, analysis)
    tagger = tagger_of(analysis, request.user)
    if tagger is not None and tagger.handed_in_at is not None:
        return redirect("error-analysis", pk)
    if tagger is None and analysis.taggers.count() >= Tagger.PLACES:
        messages.error(request, "Two people are tagging this sample already.")
        return redirect("error-analysis", pk)
    return _page(request, analysis, tagger, _asked(request, analysis, tagger))


def _write(request: MemberRequest, analysis: ErrorAnalysis) -> HttpResponse:
    here = reverse("error-tag", args=[analysis.pk])
    try:
        tagger = take_place(analysis, request.user)
        if "undo" in request.POST:
            mistake = undo(tagger)
            return redirect(f"{here}?at={mistake.position + 1}" if mistake else here)
        if "hand-in" in request.POST:
            hand_in(tagger)
            return redirect("error-analysis", analysis.pk)
    except RatingError as error:
        messages.error(request, str(error))
        return redirect("error-analysis", analysis.pk)
    return _tag(request, analysis, tagger)


def _tag(request: MemberRequest, analysis: ErrorAnalysis, tagger: Tagger) -> HttpResponse:
    mistake = _at(analysis, request.POST.get("at", ""))
    if mistake is None:
        raise Http404("There is no such place in the sample.")
    form = TagForm(analysis.run.dataset, request.POST)
    trouble = "" if form.is_valid() else form.trouble
    if not trouble:
        try:
            tag(tagger, mistake, form.chosen_cause(), form.cleaned_data["note"])
        except RatingError as error:
            trouble = str(error)
    if trouble:
        return _page(request, analysis, tagger, mistake, trouble)
    following = _next_open(analysis, tagger, mistake.position)
    return redirect(f"{reverse('error-tag', args=[analysis.pk])}{f'?at={following.position + 1}' if following else ''}")


def _page(
    request: MemberRequest, analysis: ErrorAnalysis, tagger: Tagger | None, mistake: Mistake | None, trouble: str = ""
) -> HttpResponse:
    done = tagger.tags.count() if tagger else 0
    shown = show(analysis, mistake, tagger) if mistake else None
    note = shown.own.note if shown and shown.own else ""
    page: dict[str, Any] = {
        "dataset": analysis.run.dataset,
        "role": role_in(request.user, analysis.run.dataset),
        "tab": "errors",
        "analysis": analysis,
        "tagger": tagger,
        "done": done,
        "left": analysis.size - done,
        "shown": shown,
        "causes": causes_of(analysis.run.dataset),
        "before": mistake.position if mistake and mistake.position else None,
        "after": mistake.position + 2 if mistake and mistake.position + 1 < analysis.size else None,
        "trouble": trouble,
        "note": request.POST.get("note", "") if trouble else note,
    }
    return render(request, "errors/tag.html", page, status=422 if trouble else 200)


def _asked(request: MemberRequest, analysis: ErrorAnalysis, tagger: Tagger | None) -> Mistake | None:
    """The mistake at ?at=, else the first that lacks the tagger's tag; None where all have it."""
    if "at" not in request.GET:
        return _next_open(analysis, tagger, -1)
    mistake = _at(analysis, request.GET["at"])
    if mistake is None:
        raise Http404("There is no such place in the sample.")
    return mistake


def _at(analysis: ErrorAnalysis, place: str) -> Mistake | None:
    if not place.isdecimal() or len(place) > 6:
        return None
    return _on_page(analysis).filter(position=int(place) - 1).first()


def _next_open(analysis: ErrorAnalysis, tagger: Tagger | None, position: int) -> Mistake | None:
    """The first mistake after the position without the tagger's tag, else the first before it."""
    mistakes = _on_page(analysis)
    lacking = mistakes.exclude(pk__in=tagger.tags.values("item")) if tagger else mistakes
    return lacking.filter(position__gt=position).first() or lacking.first()


def _on_page(analysis: ErrorAnalysis) -> QuerySet[Mistake]:
    return analysis.items.for_page().order_by("position")
