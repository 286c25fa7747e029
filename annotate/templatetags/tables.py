"""The columns of a table that is taken away as LaTeX, and what a form keeps of the page's address."""

from django import template
from django.http import HttpRequest, QueryDict

from core.tables import Table, figure_columns, printed_title

register = template.Library()


@register.filter
def pairs_without(query: QueryDict, names: str) -> list[tuple[str, str]]:
    """The names and values of the query but those of `names`, with spaces between them."""
    left_out = names.split()
    return [(name, str(value)) for name, values in query.lists() for value in values if name not in left_out]


@register.filter
def printed_columns(table: Table, request: HttpRequest) -> list[tuple[str, str, bool]]:
    """The columns that can be printed, a figure and its interval as one: name, title, and whether it is chosen."""
    chosen = request.GET.getlist("print") or (table.printed.columns if table.printed else ())
    names = [column.title for column in figure_columns(table)]
    return [(name, printed_title(table, name), name in chosen) for name in names]
