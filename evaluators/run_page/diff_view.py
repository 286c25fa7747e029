"""The page of two runs side by side: what they are made of, and the units that one has right and the other wrong."""

from typing import Any
from urllib.parse import urlencode

import numpy as np
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, Role
from core.errors import DataError
from evaluators.comparison.judges import TRIVIAL
from evaluators.comparison.levels import level_title, responses_by_level
from evaluators.comparison.page_state import has_gold, requested_version
from evaluators.comparison.unit_details import unit_details
from evaluators.predictions.read import latest_runs
from evaluators.run_page.diff import (
    BOTH_RIGHT,
    BOTH_WRONG,
    DIFFER,
    GROUPS,
    ONE,
    OTHER,
    RunDiff,
    diff_of,
    entries_of,
    find_side,
)

UNITS_A_PAGE = 10


@require_safe
def run_diff(request: MemberRequest, pk: int) -> HttpResponse:
    """?one= and ?other= are keys of runs, or names of trivial baselines; ?level=, ?gold=, ?show=, ?domain=, ?q=."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "compare"}
    runs = [run for run in latest_runs(dataset) if run.evaluator.method not in TRIVIAL]
    page |= {"runs": runs, "baselines": TRIVIAL, "has_gold": has_gold(dataset)}
    sides = {name: find_side(dataset, request.GET.get(name, "")) for name in ("one", "other")}
    page |= {"gone": [request.GET[name] for name, side in sides.items() if side is None and request.GET.get(name)]}
    first, second, *_ = [*(str(run.pk) for run in runs), *TRIVIAL]  # chosen in a form that is opened without a choice
    page |= {"asked_one": request.GET.get("one", first), "asked_other": request.GET.get("other", second)}
    one, other = sides["one"], sides["other"]
    if page["has_gold"] and one is not None and other is not None:
        version = requested_version(request, dataset)
        try:
            diff = diff_of(dataset, version, one, other, request.GET.get("level", ""))
        except DataError as error:
            raise Http404(str(error)) from error
        page |= {"version": version} | _diff(request, dataset, diff)
    return render(request, "runs/diff.html", page)


def _diff(request: MemberRequest, dataset: Dataset, diff: RunDiff) -> dict[str, Any]:
    show = request.GET.get("show", ONE)
    show = show if show in GROUPS else ONE
    domain, text = request.GET.get("domain", "").strip(), request.GET.get("q", "").strip()
    units = Paginator(diff.units(show, domain, text), UNITS_A_PAGE).get_page(request.GET.get("page"))
    one, other = (judge.name for judge in diff.judges)
    counts = diff.counts
    table, version = diff.study.table, diff.study.version
    return {
        "diff": diff,
        "one": one,
        "other": other,
        "groups": [
            (ONE, f"{one} right, {other} wrong", counts[ONE]),
            (OTHER, f"{other} right, {one} wrong", counts[OTHER]),
            (DIFFER, "One of them right", counts[DIFFER]),
            (BOTH_WRONG, "Both wrong", counts[BOTH_WRONG]),
            (BOTH_RIGHT, "Both right", counts[BOTH_RIGHT]),
        ],
        "show": show,
        "domain": domain,
        "text": text,
        "compared": urlencode(
            [("evaluator", one), ("evaluator", other), ("level", diff.level), ("gold", version.name if version else "")]
        ),
        "domains": [name for name in dict.fromkeys(table.prompts.domain.tolist()) if name],
        "levels": [(name, level_title(name, dataset.scheme)) for name in responses_by_level(table)],
        "level_title": level_title(diff.level, dataset.scheme),
        "entries": entries_of(*diff.judges),
        "page": units,
        "units": unit_details(
            diff.study, diff.level, np.asarray(units.object_list, dtype=np.int64), diff.judges, {one, other}
        ),
    }
