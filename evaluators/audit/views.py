"""The pages of gold audits: what could be sent, and what came of what was."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.models import Dataset, Role
from annotate.second_look.cases import LookStatus
from core.table_response import requested_table
from evaluators.audit.chart import chart_of
from evaluators.audit.find import Candidate, Units, evaluators_of, units_of
from evaluators.audit.forms import SendForm
from evaluators.audit.results import results_of, table_of_parts, version_after, version_before
from evaluators.audit.send import send_audit
from evaluators.charts.respond import chart_response
from evaluators.comparison.study import ComparisonStudy, study_of
from evaluators.models import GoldAudit
from ratings.errors import DrawError

PER_PAGE = 25
READERS = (Role.RESEARCHER, Role.ADJUDICATOR)


@dataclass(frozen=True)
class Choice:
    """What the link asks for: the evaluators believed (by default the good ones), and how many must contradict gold."""

    believed: list[Candidate]
    least: int
    chosen: bool


@require_http_methods(["GET", "HEAD", "POST"])
def audits(request: MemberRequest, pk: int) -> HttpResponse:
    """?evaluator= (several) and ?least= choose; an adjudicator sends."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    if request.method == "POST" and role_in(request.user, dataset) != Role.ADJUDICATOR:
        raise PermissionDenied("An adjudicator asks for the annotators' time.")
    study = study_of(dataset, None)
    evaluators = evaluators_of(study)
    choice = _choice(request, evaluators)
    form = SendForm(request.POST if request.method == "POST" else None)
    trouble = ""
    if form.is_bound and form.is_valid():
        try:
            return redirect("gold-audit", _send(request, study, choice, form).pk)
        except DrawError as error:
            trouble = f"Nothing was sent. {error}"
    page = {"evaluators": evaluators, "choice": choice, "form": form, "trouble": trouble}
    page |= _counts(units_of(study, [each.judge for each in choice.believed], 1), choice)
    listed = GoldAudit.objects.filter(dataset=dataset).select_related("made_by").prefetch_related("runs__evaluator")
    page |= {"page": Paginator(listed, PER_PAGE).get_page(request.GET.get("page"))}
    return _render(request, dataset, "audit/audits.html", page, 422 if form.is_bound else 200)


@require_safe
def audit(request: MemberRequest, pk: int) -> HttpResponse:
    found = _fetch(request, pk)
    results = results_of(found)
    table = table_of_parts(found, results.parts)
    answer = requested_table(request, [table])
    if answer is not None:
        return answer
    changed = [each for each in results.audited if each.case.status is LookStatus.CHANGED]
    page: dict[str, Any] = {
        "audit": found,
        "runs": found.runs.select_related("evaluator").order_by("evaluator__name"),
        "results": results,
        "table": table,
        "chart": chart_of(results) if any(part.answered for part in results.parts) else None,
        "before": version_before(found),
        "after": version_after(found),
        "changed": len(changed),
        # Who settles shall not know what was a control: units are listed once nothing is left to settle.
        "page": Paginator(results.audited if results.is_complete else (), PER_PAGE).get_page(request.GET.get("page")),
    }
    return _render(request, found.dataset, "audit/audit.html", page)


@require_safe
def chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    drawn = chart_of(results_of(_fetch(request, pk)))
    if drawn.name != name:
        raise Http404("This page has no such chart.")
    return chart_response(request, drawn, form)


def _choice(request: MemberRequest, evaluators: Sequence[Candidate]) -> Choice:
    named = set(request.GET.getlist("evaluator"))
    good = [each for each in evaluators if each.is_good]
    believed = [each for each in evaluators if each.judge.name in named] if named else good
    asked = request.GET.get("least", "")
    least = int(asked) if asked.isdecimal() and len(asked) < 4 else max(2, len(believed) // 2 + 1)
    return Choice(believed, max(1, least), believed != good)


def _counts(units: Units, choice: Choice) -> dict[str, Any]:
    """How many units so many evaluators contradict."""
    return {
        "units": units,
        "candidates": len(units.candidates(choice.least)),
        "controls": len(units.controls(choice.least)),
        "suggested": min(100, len(units.candidates(choice.least)), len(units.controls(choice.least))),
        "by_least": [(least, len(units.candidates(least))) for least in range(1, len(choice.believed) + 1)],
    }


def _send(request: MemberRequest, study: ComparisonStudy, choice: Choice, form: SendForm) -> GoldAudit:
    wish = form.wish(choice.least, choice.chosen)
    units = units_of(study, [each.judge for each in choice.believed], wish.wants)
    return send_audit(study, choice.believed, units, wish, request.user)


def _fetch(request: MemberRequest, pk: int) -> GoldAudit:
    every = GoldAudit.objects.select_related("dataset", "second_look", "version", "made_by")
    return fetch_in_dataset(request.user, every, pk, "dataset", *READERS)


def _render(
    request: MemberRequest, dataset: Dataset, template: str, page: dict[str, Any], status: int = 200
) -> HttpResponse:
    shared = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "gold-audits"}
    return render(request, template, {**shared, **page}, status=status)
