"""The tables of the statistics page as CSV, Markdown and LaTeX."""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset
from annotate.models import Role
from annotate.statistics.figures import build_dataset_stats
from core.table_response import requested_table
from evaluators.tables.statistics import tables_of


@require_safe
def statistics_tables(request: MemberRequest, pk: int) -> HttpResponse:
    """?table= names one of the page's tables, ?as= its form."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    answer = requested_table(request, tables_of(build_dataset_stats(dataset)))
    if answer is None:
        raise Http404("Name a table of the statistics page.")
    return answer
