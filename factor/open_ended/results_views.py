"""The results of a study, beside those of another one if it is chosen; tables, chart and labels."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, role_in
from annotate.people.names import names_for
from core.numbers import read_number
from core.table_response import requested_table
from evaluators.charts.respond import requested_chart
from factor.models import OpenEndedStudy
from factor.open_ended.export import export_lines
from factor.open_ended.label import in_the_middle_of
from factor.open_ended.page import fetch_study, page_of_study
from factor.open_ended.progress import summary_of
from factor.open_ended.results import results_of
from factor.open_ended.tables import FATES, GROUPS, accuracy_chart, tables_of
from ratings.pages import download_ratings


@require_safe
def open_ended_results(request: MemberRequest, pk: int) -> HttpResponse:
    """Tables 4 and 5, the texts left out, agreement; `?with=` sets another study of the benchmark beside it.

    People who still label texts of either study see no figure."""
    study = fetch_study(request, pk)
    studies = _studies(request, study)
    to_label = in_the_middle_of(request.user, studies)
    if to_label:
        return _withheld(request, study, to_label, 403 if "table" in request.GET else 200)
    results, differences = results_of(studies)
    tables = list(tables_of(results))
    context: dict[str, Any] = {
        "results": results,
        "difference": differences[0] if differences else None,
        "summary": summary_of(study),
        "others": _others(study),
        "beside": studies[1].pk if len(studies) > 1 else None,
        "groups": GROUPS,
        "fates": FATES,
        "tables": {table.name: table for table in tables},
        "chart": accuracy_chart(results),
    }
    page = {**page_of_study(request, study), **context}
    return requested_table(request, tables) or render(request, "factor/open_ended_results.html", page)


@require_safe
def open_ended_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    """A chart of the page, with the same query."""
    study = fetch_study(request, pk)
    studies = _studies(request, study)
    to_label = in_the_middle_of(request.user, studies)
    if to_label:
        return _withheld(request, study, to_label, 403)
    return requested_chart(request, [accuracy_chart(results_of(studies)[0])], name, form)


@require_safe
def open_ended_export(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """Every text with its labels as CSV, once all labels are in."""
    study = fetch_study(request, pk)
    dataset = study.scoring.benchmark.dataset
    lines = export_lines(study, names_for(role_in(request.user, dataset), dataset))
    return download_ratings(summary_of(study).complete, lines, f"open-ended-{study.pk}")


def _withheld(
    request: MemberRequest, study: OpenEndedStudy, to_label: Sequence[tuple[OpenEndedStudy, int]], status: int
) -> HttpResponse:
    """The page without figures: the studies that the person still labels, and how many texts they could label."""
    page = {**page_of_study(request, study), "to_label": to_label}
    return render(request, "factor/open_ended_results.html", page, status=status)


def _others(study: OpenEndedStudy) -> QuerySet[OpenEndedStudy]:
    of_benchmark = OpenEndedStudy.objects.filter(scoring__benchmark=study.scoring.benchmark_id)
    return of_benchmark.exclude(pk=study.pk).select_related("scoring__model")


def _studies(request: MemberRequest, study: OpenEndedStudy) -> Sequence[OpenEndedStudy]:
    """The study, and the one of the same benchmark that the query names. Http404: it has no such study."""
    query = request.GET.get("with", "")
    if not query:
        return [study]
    key = read_number(query)
    beside = None if key is None else _others(study).filter(pk=key).first()
    if beside is None:
        raise Http404("No such study of this benchmark.")
    return [study, beside]
