"""Editing: editors, runs and their edits, the report, and samples that people rate."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_in_dataset
from api.comparison.views import document
from api.editing.serializers import (
    EditFilterSerializer,
    EditingReportOptionsSerializer,
    EditSampleListSerializer,
    EditSampleSerializer,
    EditSerializer,
    NewEditSampleSerializer,
)
from api.evaluators.serializers import MethodSerializer
from api.models import Scope
from api.rest.access import READERS
from api.rest.idempotency import once
from api.rest.pages import OrderedPages
from api.rest.problems import Unprocessable, check_form
from api.rest.sent import read_body, read_query
from api.rest.streams import JsonLinesRenderer, StreamedListView
from api.rest.views import ApiView, ListView
from api.runs.serializers import NewRunSerializer, RunFilterSerializer, RunListSerializer, RunSerializer
from api.runs.views import RunsView, fetch_run
from core.chunks import in_chunks
from core.downloads import download
from core.parquet import Columns, Row
from evaluators.editing.after import edited_responses
from evaluators.editing.draw import draw_sample
from evaluators.editing.export import accepted_in, pairs_of
from evaluators.editing.forms import EditDrawForm
from evaluators.editing.read import of_rows, rows_of
from evaluators.editing.report import build_report, latest_report
from evaluators.editing.results import results_of
from evaluators.methods import EDITORS
from evaluators.models import EditSample, SentenceEdit
from evaluators.runs.build import find_editor
from ratings.errors import DrawError
from ratings.progress import progress_of, with_counts

CHUNK = 500
JSON_LINES = JsonLinesRenderer.media_type
COLUMNS: Columns = {
    "id": "int64",
    "index": "string",
    "subject": "string",
    "sentence": "int32",
    "editor": "string",
    "state": "string",
    "before": "string",
    "after": "string",
    "correction": "string",
    "facts": [{"text": "string", "supported": "bool"}],
    "accepted": "bool",
}


class EditorsView(ApiView):
    """The editors of this server."""

    @extend_schema(operation_id="editors_list", responses=MethodSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Every editor, with its parameters. The list has no pages."""
        return Response(MethodSerializer(EDITORS.values(), many=True).data)


class EditingRunsView(RunsView):
    """The editing runs of a dataset."""

    edits = True

    def check(self, method: str) -> None:
        find_editor(method)

    @extend_schema(
        operation_id="editing_runs_list", parameters=[RunFilterSerializer], responses=RunListSerializer(many=True)
    )
    def get(self, request: Request, pk: int) -> Response:
        """The dataset's editing runs, filtered and sorted as its evaluators' runs are."""
        return super().get(request, pk)

    @once
    @extend_schema(
        operation_id="editing_runs_create", request=NewRunSerializer, responses={200: RunSerializer, 201: RunSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Queue a run of an editor (`method`). 200 with the run that is there where the same one is under way or has
        finished."""
        return self.start(pk)


class EditingReportView(ApiView):
    @extend_schema(
        operation_id="editing_report", parameters=[EditingReportOptionsSerializer], responses=document("report_edits")
    )
    def get(self, request: Request, pk: int) -> Response:
        """Every editor's last finished run against people's corrections, and pairs of editors."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        asked = read_query(EditingReportOptionsSerializer, request)
        if not asked["editor"] and asked["after"] is None:
            return Response(latest_report(dataset) or build_report(dataset))
        after = None if asked["after"] is None else fetch_dataset(self.request.user, asked["after"], *READERS)
        return Response(build_report(dataset, asked["editor"], after=after))


class RunEditsView(StreamedListView):
    """The edits of a run."""

    serializer_class = EditSerializer
    pagination_class = OrderedPages
    columns = COLUMNS

    def rows(self) -> QuerySet[SentenceEdit]:
        self.run = fetch_run(self.request.user, self.kwargs["pk"])
        return rows_of(self.run, read_query(EditFilterSerializer, self.request)["show"])

    def data_of(self, page: list[SentenceEdit]) -> Any:
        return super().data_of(list(self.plain_rows(page)))

    def plain_rows(self, rows: QuerySet[SentenceEdit] | list[SentenceEdit]) -> Iterable[Row]:
        accepted = accepted_in(self.run)
        for chunk in in_chunks(rows.iterator(CHUNK) if isinstance(rows, QuerySet) else rows, CHUNK):
            edits = of_rows(self.run, chunk)
            for edit, pair in zip(edits, pairs_of(self.run, edits, accepted), strict=True):
                yield {"id": edit.edit_id, **pair}

    @extend_schema(operation_id="run_edits", parameters=[EditFilterSerializer], responses=EditSerializer(many=True))
    def get(self, request: Request, pk: int) -> HttpResponseBase:  # type: ignore[override]
        """The sentences before and after, in reading order: in pages, or whole as JSON lines or Parquet. None: the run
        is no editor's."""
        return super().get(request)


class EditedResponsesView(ApiView):
    @extend_schema(operation_id="edited_responses", responses={(200, JSON_LINES): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The run's responses with its edits in place, as JSON lines that `responses-for-facts` imports."""
        run = fetch_run(self.request.user, pk)
        return download((f"{line}\n" for line in edited_responses(run)), f"edited-{run.pk}.jsonl", JSON_LINES)


class EditSamplesView(ListView):
    """Samples of a run's edits."""

    serializer_class = EditSampleListSerializer
    write_scope = Scope.EVALUATE

    def rows(self) -> QuerySet[EditSample]:
        run = fetch_run(self.request.user, self.kwargs["pk"])
        return with_counts(run.edit_samples.all(), self.request.user)

    @extend_schema(operation_id="edit_samples_list", responses=EditSampleListSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The samples of the run, the oldest first."""
        return super().get(request)

    @once
    @extend_schema(
        operation_id="edit_samples_create", request=NewEditSampleSerializer, responses={201: EditSampleSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Draw a sample of the run's changed sentences; people rate it on its page."""
        run = fetch_run(self.request.user, pk)
        form = EditDrawForm(read_body(NewEditSampleSerializer, request))
        check_form(form)
        try:
            sample = draw_sample(run, **form.cleaned_data, created_by=self.request.user)
        except DrawError as error:
            raise Unprocessable(form.REFUSED.format(error)) from None
        location = reverse("api:edit-sample", args=[sample.pk])
        return Response(describe(sample), status=201, headers={"Location": location})


class EditSampleView(ApiView):
    @extend_schema(operation_id="edit_sample", responses=EditSampleSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A sample with its progress, and its results once all ratings are in."""
        samples = EditSample.objects.select_related("run__dataset")
        return Response(describe(fetch_in_dataset(self.request.user, samples, pk, "run.dataset", *READERS)))


def describe(sample: EditSample) -> dict[str, Any]:
    progress = progress_of(sample, lambda person: person.get_username())
    results = results_of(sample) if sample.is_complete() else None
    return EditSampleSerializer({"sample": sample, "progress": progress, "results": results}).data
