"""The pages of gold audits: the units that could be sent, and the results of an audit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.models import Dataset, Role
from core.table_response import requested_table
from evaluators.audit.find import AuditEvaluator, AuditUnits, evaluators_of, units_of
from evaluators.audit.results import chart_of, results_of, table_of_parts, version_after, version_before
from evaluators.audit.send import AuditDesign, SendForm, send_audit
from evaluators.charts.respond import requested_chart
from evaluators.comparison.sentences import trivial_sentence
from evaluators.comparison.study import study_of
from evaluators.models import GoldAudit

PER_PAGE = 25
READERS = (Role.RESEARCHER, Role.ADJUDICATOR)


@dataclass(frozen=True)
class EvaluatorChoice:
    """The query of the page: the evaluators believed (by default the good ones), and the least number of them that
    contradict gold."""

    believed: list[AuditEvaluator]
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
    judges = [each.judge for each in choice.believed]

    def send(**values: int) -> GoldAudit:
        design = AuditDesign(least=choice.least, chosen=choice.chosen, **values)
        return send_audit(study, choice.believed, units_of(study, judges, design.wants), design, request.user)

    counts = _counts(units_of(study, judges, 1), choice)
    form = SendForm(request.POST if request.method == "POST" else None, initial={"controls": counts["suggested"]})
    sent = form.draw(send)
    if sent is not None:
        return redirect("gold-audit", sent.pk)
    listed = GoldAudit.objects.filter(dataset=dataset).select_related("made_by").prefetch_related("runs__evaluator")
    page = Paginator(listed, PER_PAGE).get_page(request.GET.get("page"))
    ranked = [each for each in evaluators if not each.margin.unranked and each.margin.f1 is not None]
    below = [each.judge.name for each in ranked if not each.is_good]
    context = {
        **counts,
        "evaluators": evaluators,
        "choice": choice,
        "form": form,
        "page": page,
        "of_trivial": trivial_sentence(len(ranked), below),
    }
    return _render(request, dataset, "audit/audits.html", context, 422 if form.is_bound else 200)


@require_safe
def audit(request: MemberRequest, pk: int) -> HttpResponse:
    gold_audit = _fetch(request, pk)
    results = results_of(gold_audit)
    table = table_of_parts(gold_audit, results)
    context = {
        "audit": gold_audit,
        "runs": gold_audit.runs.select_related("evaluator").order_by("evaluator__name"),
        "results": results,
        "table": table,
        "chart": chart_of(results) if any(part.answered for part in results.parts) else None,
        "before": version_before(gold_audit),
        "after": version_after(gold_audit),
        # Adjudicators must not know the controls: units are listed once all are settled.
        "page": Paginator(results.units if results.is_complete else (), PER_PAGE).get_page(request.GET.get("page")),
    }
    return requested_table(request, [table]) or _render(request, gold_audit.dataset, "audit/audit.html", context)


@require_safe
def chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    return requested_chart(request, [chart_of(results_of(_fetch(request, pk)))], name, form)


def _choice(request: MemberRequest, evaluators: Sequence[AuditEvaluator]) -> EvaluatorChoice:
    named = set(request.GET.getlist("evaluator"))
    good = [each for each in evaluators if each.is_good]
    believed = [each for each in evaluators if each.judge.name in named] if named else good
    query = request.GET.get("least", "")
    least = int(query) if query.isdecimal() and len(query) < 4 else max(2, len(believed) // 2 + 1)
    return EvaluatorChoice(believed, max(1, least), believed != good)


def _counts(units: AuditUnits, choice: EvaluatorChoice) -> dict[str, Any]:
    """The numbers of contradicted units, of those that can be sent, and of controls."""
    candidates, controls = len(units.candidates(choice.least)), len(units.controls(choice.least))
    contradicted = int(units.contradicted(choice.least).sum())
    return {
        "units": units,
        "contradicted": contradicted,
        "unreachable": contradicted - candidates,
        "candidates": candidates,
        "controls": controls,
        "suggested": min(100, candidates, controls),
        "by_least": [(least, int(units.contradicted(least).sum())) for least in range(1, len(choice.believed) + 1)],
    }


def _fetch(request: MemberRequest, pk: int) -> GoldAudit:
    every = GoldAudit.objects.select_related("dataset", "second_look", "version", "made_by")
    return fetch_in_dataset(request.user, every, pk, "dataset", *READERS)


def _render(
    request: MemberRequest, dataset: Dataset, template: str, page: dict[str, Any], status: int = 200
) -> HttpResponse:
    shared = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "gold-audits"}
    return render(request, template, {**shared, **page}, status=status)
