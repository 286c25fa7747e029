"""A chart on a page: `{% load charts %}{% chart chart "name-of-its-address" dataset.pk %}`."""

from typing import Any

from django import template
from django.urls import reverse

from evaluators.charts.chart import Chart
from evaluators.charts.draw import FORMS
from evaluators.charts.sizes import NARROW, WIDE, height_of

register = template.Library()

NAMES = {"svg": "SVG", "pdf": "PDF", "png": "PNG", "json": "Vega-Lite", "csv": "CSV"}


@register.inclusion_tag("charts/figure.html", takes_context=True)
def chart(
    context: template.Context, chart: Chart, address: str, *arguments: Any, beside: bool = False
) -> dict[str, Any]:
    """The figure with its drawings, light and dark, wide and narrow, and the files to take away.

    address: the name of the page's address of charts, which takes `arguments`, then the chart's name and the form. The
    page's whole query string goes with it, so that the view there makes the same chart. beside: it stands beside a
    table, so it is drawn narrow on every screen, and in the files too.
    """
    state = context["request"].GET.copy()
    addresses = {form: reverse(address, args=[*arguments, chart.name, form]) for form in FORMS}

    def drawn(**way: str) -> str:
        query = state.copy()
        query.update(way)
        return f"{addresses['svg']}?{query.urlencode()}"

    shape = {"narrow": "1"} if beside else {}
    taken = state.copy()
    taken.update({"download": "1", **shape})
    return {
        "chart": chart,
        "light": drawn(**shape),
        "dark": drawn(dark="1", **shape),
        "narrow": drawn(narrow="1"),
        "narrow_dark": drawn(narrow="1", dark="1"),
        "wide": (NARROW if beside else WIDE, height_of(chart.spec, narrow=beside)),
        "slim": (NARROW, height_of(chart.spec, narrow=True)),
        "files": [(NAMES[form], f"{addresses[form]}?{taken.urlencode()}") for form in FORMS],
    }
