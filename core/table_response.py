"""A page's tables to take away: `?table=<name>&as=csv|markdown|latex` answers with one of them instead of the page.

`&print=<column>`, several times, chooses the columns of the LaTeX table.
"""

from collections.abc import Callable, Collection, Iterable

from django.http import Http404, HttpRequest, HttpResponse

from core.csv import BYTE_ORDER_MARK
from core.tables import Table, as_csv, as_latex, as_markdown

FORMS: dict[str, tuple[Callable[[Table, Collection[str]], str], str, str]] = {
    "csv": (lambda table, chosen: BYTE_ORDER_MARK + as_csv(table), "text/csv", "csv"),
    "markdown": (lambda table, chosen: as_markdown(table), "text/plain", "md"),
    "latex": (as_latex, "text/plain", "tex"),
}


def table_response(table: Table, form: str, chosen: Collection[str] = ()) -> HttpResponse:
    """The table in a form of FORMS; Http404 for any other. Markdown and LaTeX open as text, to be copied from."""
    if form not in FORMS:
        raise Http404("A table comes as csv, markdown or latex.")
    write, content_type, suffix = FORMS[form]
    kind = "attachment" if form == "csv" else "inline"
    headers = {"Content-Disposition": f'{kind}; filename="{table.name}.{suffix}"'}
    return HttpResponse(write(table, chosen), content_type=f"{content_type}; charset=utf-8", headers=headers)


def requested_table(request: HttpRequest, tables: Iterable[Table]) -> HttpResponse | None:
    """The table that the query string asks for; None where it asks for none. Http404: the page has no such table."""
    name = request.GET.get("table")
    if name is None:
        return None
    table = next((each for each in tables if each.name == name), None)
    if table is None:
        raise Http404("This page has no such table.")
    return table_response(table, request.GET.get("as", "csv"), request.GET.getlist("print"))
