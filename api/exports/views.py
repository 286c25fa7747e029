"""Files: a dataset with its gold in the formats of the field, results bundles, tables of units."""

from django.http import FileResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from annotate.access import fetch_dataset
from annotate.export.dataset import export_dataset
from annotate.models import Dataset, GoldLabel, ViewReceipt
from annotate.people.receipts import note_receipts
from api.exports.serializers import ExportSerializer, ResultsSerializer, UnitsTableSerializer
from api.rest.access import READERS, ApiRequest
from api.rest.parsers import CsvParser, JsonLinesParser, ParquetParser
from api.rest.sent import read_query
from api.rest.views import FileView
from core.chunks import begun, in_chunks
from evaluators.bundle.open_file import open_bundle, open_units_table

LINES = 200  # of one piece


class ExportView(FileView):
    """A dataset with its gold as a file."""

    @extend_schema(
        operation_id="export",
        parameters=[ExportSerializer],
        responses={(200, each.media_type): OpenApiTypes.BINARY for each in (JsonLinesParser, CsvParser)},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The file that the command `export_dataset` writes. A response that the form cannot hold is left out."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        asked = read_query(ExportSerializer, request)
        form = asked["form"] or dataset.scheme
        lines = begun(export_dataset(dataset, form, asked["subject"], asked["gold_version"]))
        _note_gold(self.request, dataset)
        kind = CsvParser if form == "csv" else JsonLinesParser
        pieces = ("".join(f"{line}\n" for line in piece).encode() for piece in in_chunks(lines, LINES))
        headers = {"Content-Disposition": f'attachment; filename="{form}.{kind.ending}"'}
        return StreamingHttpResponse(pieces, content_type=kind.media_type, headers=headers)


class ResultsView(FileView):
    """Runs, predictions and figures as one file."""

    @extend_schema(
        operation_id="results",
        parameters=[ResultsSerializer],
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The results bundle of each evaluator's last finished run (docs/results.md)."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        asked = read_query(ResultsSerializer, request)
        file = open_bundle(dataset, asked["evaluator"], asked["gold_version"], asked["answers"], asked["searches"])
        _note_gold(self.request, dataset)
        return FileResponse(file, as_attachment=True, filename="results.zip")


class UnitsTableView(FileView):
    """Units with gold and predictions as one table."""

    @extend_schema(
        operation_id="results_units",
        parameters=[UnitsTableSerializer],
        responses={(200, ParquetParser.media_type): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """A row a judged unit, with gold and each evaluator's prediction and score, as Parquet."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        asked = read_query(UnitsTableSerializer, request)
        file = open_units_table(dataset, asked["evaluator"], asked["gold_version"])
        _note_gold(self.request, dataset)
        kind = ParquetParser.media_type
        return FileResponse(file, as_attachment=True, filename="units.parquet", content_type=kind)


def _note_gold(request: ApiRequest, dataset: Dataset) -> None:
    """Whoever reads gold has seen what became of the labels."""
    gold = GoldLabel.objects.of(dataset).filter(segment__response__task__isnull=False)
    tasks = gold.order_by().values_list("segment__response__task", flat=True).distinct()
    note_receipts(list(tasks), request.user, ViewReceipt.What.LABELS)
