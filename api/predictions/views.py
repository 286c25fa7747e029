"""Predictions: out of a run, and in from an evaluator that runs elsewhere."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset
from annotate.models import Dataset
from annotate.prompts.uploaded import saved
from api.models import Scope
from api.predictions.serializers import (
    MOST_LISTED,
    ClaimFilterSerializer,
    EvalLogSerializer,
    ExtractedClaimSerializer,
    OriginSerializer,
    PredictionFileSerializer,
    PredictionFilterSerializer,
    PredictionSerializer,
    PushedSerializer,
    PushSerializer,
    SentPredictionsSerializer,
)
from api.rest.access import READERS
from api.rest.idempotency import once_after
from api.rest.parsers import FILE_PARSERS
from api.rest.sent import read_body, read_query
from api.rest.streams import StreamedListView
from api.rest.views import ApiView
from api.runs.views import fetch_run
from core.parquet import Columns, Row
from evaluators.models import ClaimAlignment, ExtractedClaim, Prediction
from evaluators.predictions.import_file import ImportedPredictions, store_predictions
from evaluators.predictions.inspect_log import InspectLog, InspectReader
from evaluators.predictions.origin import NOTHING_SAID, Origin
from evaluators.predictions.sent_rows import SentFile, read_sent
from evaluators.run_page.claims import claims_of
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
CLAIM_COLUMNS: Columns = {
    "id": "int64",
    "index": "string",
    "position": "int32",
    "text": "string",
    "value": "string",
    "score": "float64",
    "rationale": "string",
    "segment": "int32",
    "units": [{"segment": "int32", "fact": "int32"}],
}
STORED = ("pk", "index", "segment_position", "fact_position", "value", "score", "rationale", "fallback")


class RunPredictionsView(StreamedListView):
    """The predictions of a run."""

    serializer_class = PredictionSerializer
    columns = COLUMNS

    def rows(self) -> QuerySet[Prediction]:
        run = fetch_run(self.request.user, self.kwargs["pk"])
        asked = read_query(PredictionFilterSerializer, self.request)
        return with_address(predictions_of(run, asked["show"]))

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


class RunClaimsView(StreamedListView):
    """The claims that a run's method extracted by itself."""

    serializer_class = ExtractedClaimSerializer
    columns = CLAIM_COLUMNS

    def rows(self) -> QuerySet[ExtractedClaim]:
        run = fetch_run(self.request.user, self.kwargs["pk"])
        aligned = ClaimAlignment.objects.in_reading_order().select_related("segment", "fact")
        claims = claims_of(run, read_query(ClaimFilterSerializer, self.request)["show"])
        return claims.select_related("response").prefetch_related(Prefetch("alignments", aligned))

    @extend_schema(
        operation_id="run_claims",
        parameters=[ClaimFilterSerializer],
        responses=ExtractedClaimSerializer(many=True),
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:  # type: ignore[override]
        """The claims that the run's method extracted by itself, with the units that say them: in pages, or whole as
        JSON lines or Parquet."""
        return super().get(request)


@dataclass(frozen=True)
class SentPredictions:
    """A file that is read, and nothing of it stored. log: where it is an eval log."""

    dataset: Dataset
    evaluator: str
    path: Path
    sent: SentFile
    log: InspectLog | None = None
    partial: bool = False
    origin: Origin = NOTHING_SAID

    def store(self) -> Response:
        imported = store_predictions(
            self.dataset,
            self.path,
            self.evaluator,
            self.sent,
            self.log,
            partial=self.partial,
            origin=self.origin,
        )
        location = reverse("api:run", args=[imported.run.pk])
        return Response(describe(imported), status=201, headers={"Location": location})


class PushView(ApiView):
    """Predictions of an evaluator that runs elsewhere."""

    write_scope = Scope.EVALUATE
    parser_classes = [MultiPartParser, *FILE_PARSERS]

    @contextmanager
    def read_file(self, request: Request, pk: int) -> Iterator[SentPredictions]:
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        sent = SentPredictionsSerializer(
            data={**request.query_params.dict(), **request.POST.dict(), **request.FILES.dict()}
        )
        sent.is_valid(raise_exception=True)
        options = sent.validated_data
        with saved(options["file"]) as path:
            origin = Origin(*(options[name] for name in OriginSerializer().fields))
            yield SentPredictions(
                dataset, options["evaluator"], path, read_sent(path), partial=options["partial"], origin=origin
            )

    @once_after(read_file)
    @extend_schema(
        operation_id="predictions_push",
        parameters=[PushSerializer],
        request={
            "multipart/form-data": PredictionFileSerializer,
            **{parser.media_type: OpenApiTypes.BINARY for parser in FILE_PARSERS},
        },
        responses={201: PushedSerializer},
    )
    def post(self, request: Request, pk: int, prepared: SentPredictions) -> Response:
        """Store predictions, one a row, in the evaluator's run over this dataset: all of them, or with `partial` those
        that align. A row names its unit by index, segment and fact, or by its text."""
        return prepared.store()


class EvalLogView(ApiView):
    """Scores of an eval log of inspect_ai."""

    write_scope = Scope.EVALUATE
    parser_classes = [MultiPartParser]

    @contextmanager
    def read_file(self, request: Request, pk: int) -> Iterator[SentPredictions]:
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        options = read_body(EvalLogSerializer, request)
        reader = InspectReader(options["scorer"], options["epoch"], dict(options["value"]))
        with saved(options["file"]) as path:
            log = reader.read(path)
            yield SentPredictions(dataset, options["evaluator"], path, log.sent, log)

    @once_after(read_file)
    @extend_schema(
        operation_id="eval_log_send",
        request={"multipart/form-data": EvalLogSerializer},
        responses={201: PushedSerializer},
    )
    def post(self, request: Request, pk: int, prepared: SentPredictions) -> Response:
        """Store the scores of the log as the evaluator's run, with its model, parameters, tokens and price."""
        return prepared.store()


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
