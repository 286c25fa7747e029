"""The pages of what imports made."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.corpus.skipped import skipped_lines
from annotate.datasets.take_back import take_back, why_not
from annotate.models import Import, Role
from core.downloads import download
from core.errors import DataError

PER_PAGE = 50
# Rows of a list on the page of an import; a file has all.
SHOWN = 50


def finished_imports() -> QuerySet[Import]:
    return Import.objects.filter(finished_at__isnull=False).select_related("dataset", "created_by")


@require_GET
def dataset_imports(request: MemberRequest, pk: int) -> HttpResponse:
    """The files that were imported, the newest first."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR, Role.RESEARCHER)
    page = Paginator(finished_imports().filter(dataset=dataset), PER_PAGE).get_page(request.GET.get("page"))
    context = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "overview", "page": page}
    return render(request, "corpus/imports.html", context)


@require_GET
def import_report(request: MemberRequest, pk: int) -> HttpResponse:
    """What an import made, and what it left out."""
    imported = fetch_in_dataset(request.user, finished_imports(), pk, "dataset", Role.ADJUDICATOR, Role.RESEARCHER)
    context = {
        "dataset": imported.dataset,
        "role": role_in(request.user, imported.dataset),
        "tab": "overview",
        "imported": imported,
        "warnings": imported.warnings[:SHOWN],
        "skipped": imported.skipped_rows.order_by("number")[:SHOWN],
        "why_not": why_not(imported),
        "left_out": _left_out(imported),
    }
    return render(request, "corpus/import_report.html", context)


def _left_out(imported: Import) -> int:
    """The rows that its recipe's conditions passed over; 0 also where the file came by no page."""
    upload = imported.uploads.first()
    mapped = upload.preview.get("mapped") if upload else None
    return int(mapped.get("left_out", 0)) if mapped else 0


@require_GET
def import_skipped(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """The rows that it skipped, as a file."""
    imported = fetch_in_dataset(request.user, finished_imports(), pk, "dataset", Role.ADJUDICATOR, Role.RESEARCHER)
    return download(skipped_lines(imported), f"skipped-{imported.pk}.jsonl", "application/x-ndjson; charset=utf-8")


@require_POST
def import_take_back(request: MemberRequest, pk: int) -> HttpResponse:
    """Delete what the import made, as long as nobody has worked on it."""
    imported = fetch_in_dataset(request.user, finished_imports(), pk, "dataset", Role.ADJUDICATOR)
    try:
        take_back(request, imported, request.user)
    except DataError as error:
        messages.error(request, str(error))
        return redirect("import-report", pk)
    messages.success(request, f"The import of {imported.file_name} is taken back.")
    return redirect("dataset-imports", imported.dataset_id)
