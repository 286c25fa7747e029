"""Batches: list, start, follow, stop, resume."""

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_in_dataset
from annotate.models import User
from api.batches.serializers import BatchListSerializer, BatchSerializer, NewBatchSerializer
from api.jobs.control import LimitsSerializer, enqueue_later, read_limits
from api.models import Scope
from api.rest.access import READERS
from api.rest.idempotency import once
from api.rest.views import ApiView, ListView
from evaluators.models import RunBatch
from evaluators.runs.batches import create_batch, resume_batch, runs_of, stop_batch


class BatchesView(ListView):
    """The batches of a dataset."""

    serializer_class = BatchListSerializer
    write_scope = Scope.EVALUATE

    def rows(self) -> QuerySet[RunBatch]:
        return RunBatch.objects.filter(dataset=fetch_dataset(self.request.user, self.kwargs["pk"], *READERS))

    @extend_schema(operation_id="batches_list", responses=BatchListSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The dataset's batches."""
        return super().get(request)

    @once
    @extend_schema(operation_id="batches_create", request=NewBatchSerializer, responses={201: BatchSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Queue a run of each pair of method and model. Runs that are there already are listed with the new ones."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        sent = NewBatchSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        options = sent.validated_data
        limits = read_limits(options)
        options = {name: value for name, value in options.items() if name not in LimitsSerializer().fields}
        new = create_batch(dataset, **options, limits=limits, created_by=self.request.user)
        for run in new.begun:
            enqueue_later(run)
        location = reverse("api:batch", args=[new.batch.pk])
        return Response(describe(new.batch), status=201, headers={"Location": location})


class BatchView(ApiView):
    @extend_schema(operation_id="batch", responses=BatchSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A batch with all its runs."""
        return Response(describe(fetch_batch(self.request.user, pk)))


class BatchStopView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(operation_id="batch_stop", request=None, responses=BatchSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Stop all its own runs; what they have is kept."""
        batch = fetch_batch(self.request.user, pk)
        stop_batch(batch)
        return Response(describe(batch))


class BatchResumeView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(
        operation_id="batch_resume", request=LimitsSerializer, responses={200: BatchSerializer, 202: BatchSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Queue what is left, under other limits where they are sent. 200: nothing is left."""
        batch = fetch_batch(self.request.user, pk)
        sent = LimitsSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        resumed = resume_batch(batch, read_limits(sent.validated_data))
        for run in resumed:
            enqueue_later(run)
        batch.refresh_from_db()
        return Response(describe(batch), status=202 if resumed else 200)


def fetch_batch(user: User, pk: int) -> RunBatch:
    return fetch_in_dataset(user, RunBatch.objects.select_related("dataset"), pk, "dataset", *READERS)


def describe(batch: RunBatch) -> dict[str, object]:
    return dict(BatchSerializer({"batch": batch, "runs": runs_of(batch)}).data)
