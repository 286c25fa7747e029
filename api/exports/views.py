"""Files: a dataset with its gold in the formats of the field, results bundles, tables of units."""

from django.http import FileResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from annotate.access import fetch_dataset, role_in
from annotate.corpus.finding import Search
from annotate.export.dataset import Reader
from annotate.export.download import note_gold, send_export
from annotate.export.files import KINDS
from annotate.people.names import Names, names_for
from api.exports.serializers import ExportSerializer, ResultsSerializer, UnitsTableSerializer
from api.rest.access import READERS
from api.rest.parsers import ParquetParser
from api.rest.sent import read_query
from api.rest.views import FileView
from evaluators.bundle.open_file import open_bundle, open_units_table


class ExportView(FileView):
    """A dataset with its gold as a file."""

    @extend_schema(
        operation_id="export",
        parameters=[ExportSerializer],
        responses={(200, each.content_type): OpenApiTypes.BINARY for each in KINDS.values()},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The file that the command `export_dataset` writes. A response that the form cannot hold is left out. What
        annotators said is there for researchers once its task is closed, under pseudonyms."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        asked = read_query(ExportSerializer, request)
        role = role_in(self.request.user, dataset)
        names = names_for(role, dataset) if asked["names"] else Names(dataset.pk, are_shown=False)
        return send_export(
            dataset,
            asked["form"] or dataset.scheme,
            asked["file_type"],
            Search(asked["text"], asked["domain"], asked["subject"], asked["state"], details=asked["details"]),
            asked["gold_version"],
            Reader(role or "", names),
            self.request.user,
        )


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
        note_gold(dataset, self.request.user)
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
        note_gold(dataset, self.request.user)
        kind = ParquetParser.media_type
        return FileResponse(file, as_attachment=True, filename="units.parquet", content_type=kind)
