"""Answer a request for a chart: the same chart as on the page, in the form that the address ends in."""

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse

from core.csv import BYTE_ORDER_MARK
from evaluators.charts.chart import Chart
from evaluators.charts.draw import FORMS, draw

TYPES = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
}
# A drawing that is opened by itself shows its own font and nothing else.
OF_A_DRAWING = "default-src 'none'; style-src 'unsafe-inline'; font-src data:"


def requested_chart(request: HttpRequest, charts: Iterable[Chart], name: str, form: str) -> HttpResponse:
    """The chart of this name, as `chart_response`. Http404: the page has no such chart."""
    chart = next((chart for chart in charts if chart.name == name), None)
    if chart is None:
        raise Http404("This page has no such chart.")
    return chart_response(request, chart, form)


def chart_response(request: HttpRequest, chart: Chart, form: str) -> HttpResponse:
    """?dark=1 and ?narrow=1 choose how it is drawn; ?download=1 names a file to keep. 404: no such form."""
    if form not in FORMS:
        raise Http404("A chart has no such form.")
    dark, narrow = request.GET.get("dark") == "1", request.GET.get("narrow") == "1"
    disposition = "attachment" if "download" in request.GET else "inline"
    headers = {
        "Content-Disposition": f'{disposition}; filename="{chart.name}.{form}"',
        "Cache-Control": "private, no-cache",
    }
    if form == "svg":
        headers["Content-Security-Policy"] = OF_A_DRAWING
    mark = BYTE_ORDER_MARK.encode() if form == "csv" else b""
    return HttpResponse(mark + draw(chart, form, dark, narrow), content_type=TYPES[form], headers=headers)
