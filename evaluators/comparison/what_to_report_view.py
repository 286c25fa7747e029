"""The page "What to report, and how to cite it", filled in from the comparison that its link names."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Role
from core.table_response import requested_table
from core.tables import as_latex
from evaluators.comparison.compare_charts import names_of_charts
from evaluators.comparison.compare_tables import tables_of
from evaluators.comparison.evaluator_rows import evaluator_rows, human_references
from evaluators.comparison.page_state import has_gold, read_request
from evaluators.comparison.ready import ComparisonProgress, comparison_of
from evaluators.comparison.verdict_text import pairs_in_sentences, pairs_of, verdict_of
from evaluators.comparison.what_to_report import what_to_report
from evaluators.predictions.prices import prices_of


@require_safe
def what_to_report_page(request: MemberRequest, pk: int) -> HttpResponse:
    """The query is that of the comparison; ?print= chooses the columns of its table."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "what-to-report"}
    if not has_gold(dataset):
        return render(request, "comparison/what_to_report.html", page)
    comparison = read_request(request, dataset)
    state = comparison.state
    page |= {"state": state, "version": comparison.version, "gone": comparison.gone}
    document = comparison_of(dataset, comparison.version, state.question, comparison.since)
    if isinstance(document, ComparisonProgress):
        return render(request, "comparison/what_to_report.html", page | {"pending": True})
    runs = [run for run in comparison.runs if run.evaluator.name in state.evaluators]
    lines, pairs = evaluator_rows(document, prices_of(runs)), pairs_of(document)
    people = human_references(document, state.figure)
    tables = {table.name: table for table in tables_of(lines, pairs, people, state, document)}
    if (taken := requested_table(request, tables.values())) is not None:
        return taken
    chosen = request.GET.getlist("print")
    page |= {
        "report": what_to_report(
            dataset,
            comparison.version,
            state,
            document,
            lines,
            pairs_in_sentences(lines, pairs),
            verdict_of(lines, pairs, state.figure),
            {run.pk: run for run in runs},
        ),
        "tables": tables,
        "latex": [as_latex(tables["evaluators"], chosen), as_latex(tables["slices"])],
        "charts": names_of_charts(lines, state),
    }
    return render(request, "comparison/what_to_report.html", page)
