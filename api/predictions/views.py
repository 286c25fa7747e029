"""Predictions: out of a run, and in from an evaluator that runs elsewhere."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset
from annotate.prompts.uploaded import saved
from api.evaluators.views import READERS
from api.models import Scope
from api.predictions.serializers import (
    MOST_LISTED,
    PredictionFileSerializer,
    PredictionFilterSerializer,
    PredictionSerializer,
    PushedSerializer,
    PushSerializer,
    SentPredictionsSerializer,
)
from api.rest.idempotency import once
from api.rest.parsers import FILE_PARSERS
from api.rest.streams import Columns, Row, StreamedListView
from api.rest.views import ApiView
from api.runs.views import fetch_run
from evaluators.models import Prediction
from evaluators.predictions.import_file import ImportedPredictions, import_predictions
from evaluators.runs.listed_predictions import predictions_of, with_address

CHUNK = 5000
COLUMNS: Columns = {
    "id": "int64",
    "index": "string",
    "segment": "int32",
    "fact": "int32",
    "value": "string",
    "score": "float64",
    "rationale": "string",
    "fallback": "string",
}
STORED = ("pk", "index", "segment_position", "fact_position", "value", "score", "rationale", "fallback")


class RunPredictionsView(StreamedListView):
    """The predictions of a run."""

    serializer_class = PredictionSerializer
    columns = COLUMNS

    def rows(self) -> QuerySet[Prediction]:
        run = fetch_run(self.request.user, self.kwargs["pk"])
        asked = PredictionFilterSerializer(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return with_address(predictions_of(run, asked.validated_data["show"]))

    def plain_rows(self, rows: QuerySet[Prediction]) -> Iterable[Row]:
        for row in rows.order_by("pk").values_list(*STORED).iterator(CHUNK):
            yield dict(zip(COLUMNS, row, strict=True))

    @extend_schema(
        operation_id="run_predictions",
        parameters=[PredictionFilterSerializer],
        responses=PredictionSerializer(many=True),
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:  # type: ignore[override]
        """The predictions of the run: in pages, or whole as JSON lines or Parquet."""
        return super().get(request)


class PushView(ApiView):
    """Predictions of an evaluator that runs elsewhere."""

    write_scope = Scope.EVALUATE
    parser_classes = [MultiPartParser, *FILE_PARSERS]

    @once
    @extend_schema(
        operation_id="predictions_push",
        parameters=[PushSerializer],
        request={
            "multipart/form-data": PredictionFileSerializer,
            **{parser.media_type: OpenApiTypes.BINARY for parser in FILE_PARSERS},
        },
        responses={201: PushedSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Store predictions, one a row, in the evaluator's run over this dataset: all of them, or with `partial` those
        that align. A row names its unit by index, segment and fact, or by its text."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        sent = SentPredictionsSerializer(
            data={**request.query_params.dict(), **request.POST.dict(), **request.FILES.dict()}
        )
        sent.is_valid(raise_exception=True)
        options = sent.validated_data
        with saved(options["file"]) as path:
            imported = import_predictions(dataset, path, options["evaluator"], partial=options["partial"])
        location = reverse("api:run", args=[imported.run.pk])
        return Response(describe(imported), status=201, headers={"Location": location})


def describe(imported: ImportedPredictions) -> dict[str, Any]:
    listed = imported.left_out[:MOST_LISTED]
    row = {
        "evaluator": imported.run.evaluator.name,
        "run": imported.run.pk,
        "created": imported.created,
        "unchanged": imported.unchanged,
        "left_out": len(imported.left_out),
        "rows_left_out": [{"line": number, "detail": cause} for number, cause in listed],
    }
    return PushedSerializer(row).data
