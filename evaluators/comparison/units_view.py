"""The page of the units behind a figure."""

import numpy as np
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Role
from evaluators.comparison.compare_asked import ask
from evaluators.comparison.judges import TRIVIAL
from evaluators.comparison.shown import show_units
from evaluators.comparison.study import study_of
from evaluators.comparison.units_in_cell import ORDERS, read_cell, units_behind

UNITS_A_PAGE = 10


@require_safe
def compare_units(request: MemberRequest, pk: int) -> HttpResponse:
    """The units behind a cell of a confusion table: each in its response, with gold and what everybody said of it."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    asked, cell = ask(request, dataset), read_cell(request.GET)
    study = study_of(dataset, asked.version, asked.chosen.evaluators)
    if cell.of and cell.of not in {judge.name for judge in study.judges}:
        raise Http404("No finished run of such an evaluator.")
    if cell.slice and cell.slice not in asked.chosen.all_slices:
        raise Http404("No such slice.")
    evaluators = [judge for judge in study.judges if judge.method not in TRIVIAL]
    found = units_behind(study, asked.chosen, cell, evaluators)
    shown = Paginator(found, UNITS_A_PAGE).get_page(request.GET.get("page"))
    page = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "compare",
        "chosen": asked.chosen,
        "cell": cell,
        "orders": ORDERS,
        "domains": asked.domains,
        "page": shown,
        "units": show_units(study, asked.chosen.level, np.asarray(shown.object_list, dtype=np.int64), evaluators),
        "version": asked.version,
    }
    return render(request, "comparison/units.html", page)
