"""The leaderboard over several datasets."""

from typing import Any

from django.db.models import Exists, OuterRef
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.models import Dataset, GoldLabel, Role, User
from core.errors import DataError
from core.requests import PageRequest
from core.table_response import requested_table
from evaluators.across.board import FIGURES, AcrossDocument, across_of, across_table
from evaluators.models import Run
from stats.detection import METRICS


def comparable(user: User) -> list[Dataset]:
    """The datasets in which the person may read figures and that have gold and a finished run, by name."""
    gold = GoldLabel.objects.current().filter(segment__response__dataset=OuterRef("pk"))
    runs = Run.objects.finished().filter(dataset=OuterRef("pk"), edits=False, archived_at=None)
    open_to = Dataset.objects.of(user, Role.RESEARCHER, Role.ADJUDICATOR)
    return list(open_to.filter(Exists(gold), Exists(runs)).order_by("name").distinct())


@require_safe
def leaderboards(request: PageRequest) -> HttpResponse:
    """?dataset= names a dataset, may repeat (none: all that the person may read), ?figure= a figure."""
    datasets = comparable(request.user)
    named = set(request.GET.getlist("dataset"))
    chosen = [dataset for dataset in datasets if str(dataset.pk) in named] or datasets
    figure = request.GET.get("figure", "")
    figure = figure if figure in FIGURES else FIGURES[0]
    page: dict[str, Any] = {
        "datasets": datasets,
        "chosen": chosen,
        "figure": figure,
        "figures": [(name, METRICS[name].title) for name in FIGURES],
        "title": METRICS[figure].title,
    }
    if chosen:
        try:
            page |= _figures(across_of(chosen, figure))
        except DataError as error:
            page["error"] = str(error)
    table = requested_table(request, [page["table"]] if "table" in page else [])
    return table or render(request, "across/leaderboards.html", page)


def _figures(document: AcrossDocument) -> dict[str, Any]:
    return {
        "document": document,
        "table": across_table(document),
        "better": [pair for pair in document["pairs"] if pair["better"]],
    }
