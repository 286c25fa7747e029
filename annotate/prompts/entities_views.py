"""The page for drawing and collecting entities."""

import json
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, Role, Scheme
from annotate.models.dataset import DatasetQuerySet
from annotate.prompts.draw import draw_entities, prompt_row
from annotate.prompts.forms import EntitiesForm
from annotate.prompts.import_file import import_prompts
from annotate.prompts.sample_entities import FREQUENCIES, REGIONS
from annotate.prompts.uploaded import saved, written
from core.errors import DataError, RowError
from core.json_limits import parse_json
from core.uploads import takes_uploads


@require_safe
def entities(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    return _page(request, dataset, EntitiesForm(_others(request, dataset)))


@require_POST
@takes_uploads
def entities_draw(request: MemberRequest, pk: int) -> HttpResponse:
    """Show who would be drawn; nothing is kept."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = EntitiesForm(_others(request, dataset), request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, dataset, form, status=422)
    data = form.cleaned_data
    try:
        with saved(data["file"]) as path:
            draw = draw_entities(path, data["size"], data["seed"], [dataset, *data.get("apart_from", ())])
    except DataError as error:
        form.add_error("file", f"{error} Nobody was drawn.")
        return _page(request, dataset, form, status=422)
    rows = json.dumps([prompt_row(entity) for entity in draw.drawn], ensure_ascii=False)
    return _page(request, dataset, form, draw=draw, seed=data["seed"], rows=rows)


@require_POST
def entities_collect(request: MemberRequest, pk: int) -> HttpResponse:
    """Collect the entities drawn, checked like any other prompts."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    try:
        with written("draw", _rows(request.POST.get("rows", ""))) as path:
            imported = import_prompts(dataset, path)
    except DataError as error:
        messages.error(request, f"{error} Nothing was collected.")
        return redirect("entities", pk)
    messages.success(request, f"{imported.created} prompts are new, {imported.unchanged} already existed.")
    return redirect("prompts", pk)


def _rows(text: str) -> list[dict[str, object]]:
    """The rows that the page of the draw has sent along. Raises DataError."""
    try:
        rows = parse_json(text)
    except (ValueError, RowError):
        rows = None
    if not isinstance(rows, list):
        raise DataError("What was sent is no draw.")
    return rows


def _others(request: MemberRequest, dataset: Dataset) -> DatasetQuerySet:
    """The other datasets of lives that the person may see the responses of."""
    readable = Dataset.objects.of(request.user, Role.ADJUDICATOR, Role.RESEARCHER)
    return readable.filter(scheme=Scheme.FACTSCORE).exclude(pk=dataset.pk).order_by("name")


def _page(
    request: MemberRequest, dataset: Dataset, form: EntitiesForm, status: int = 200, **extra: Any
) -> HttpResponse:
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "prompts",
        "form": form,
        "regions": REGIONS,
        "frequencies": [name for name, _ in FREQUENCIES],
        **extra,
    }
    return render(request, "prompts/entities.html", context, status=status)
