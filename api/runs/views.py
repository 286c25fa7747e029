"""Runs: list, start, estimate, follow, stop, resume."""

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_in_dataset
from annotate.models import User
from api.evaluators.views import READERS
from api.jobs.control import LimitsSerializer, enqueue_later, read_limits, resume
from api.models import Scope
from api.rest.idempotency import once
from api.rest.views import ApiView, ListView
from api.runs.serializers import (
    EstimateSerializer,
    NewRunSerializer,
    RunFilterSerializer,
    RunListSerializer,
    RunOptionsSerializer,
    RunSerializer,
)
from evaluators.models import Run
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate
from evaluators.runs.listing import list_runs
from evaluators.runs.progress import progress_of


class RunsView(ListView):
    """The runs of a dataset."""

    serializer_class = RunListSerializer
    write_scope = Scope.EVALUATE

    def rows(self) -> QuerySet[Run]:
        dataset = fetch_dataset(self.request.user, self.kwargs["pk"], *READERS)
        asked = RunFilterSerializer(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return list_runs(dataset, asked.validated_data["state"], asked.validated_data["evaluator"])

    @extend_schema(operation_id="runs_list", parameters=[RunFilterSerializer], responses=RunListSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The dataset's runs."""
        return super().get(request)

    @once
    @extend_schema(
        operation_id="runs_create", request=NewRunSerializer, responses={200: RunSerializer, 201: RunSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Queue a run. 200 with the run that is there where the same one is under way or has finished."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        sent = NewRunSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        options = sent.validated_data
        limits = read_limits(options)
        options = {name: value for name, value in options.items() if name not in LimitsSerializer().fields}
        new = create_run(dataset, **options, limits=limits, created_by=self.request.user)
        if new.created:
            enqueue_later(new.run)
        location = reverse("api:run", args=[new.run.pk])
        return Response(describe(new.run), status=201 if new.created else 200, headers={"Location": location})


class RunEstimateView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(operation_id="runs_estimate", request=RunOptionsSerializer, responses=EstimateSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """What a run would take; it calls no model and stores nothing."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        sent = RunOptionsSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        return Response(EstimateSerializer(estimate(dataset, **sent.validated_data)).data)


class RunView(ApiView):
    @extend_schema(operation_id="run", responses=RunSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A run with its progress."""
        return Response(describe(fetch_run(self.request.user, pk)))


class RunManifestView(ApiView):
    @extend_schema(operation_id="run_manifest", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        """All that is needed to repeat the run."""
        return Response(fetch_run(self.request.user, pk).manifest)


class RunStopView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(operation_id="run_stop", request=None, responses=RunSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Stop the run; what it has is kept. A run that has ended stays as it is."""
        run = fetch_run(self.request.user, pk)
        run.stop()
        return Response(describe(run))


class RunResumeView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(
        operation_id="run_resume", request=LimitsSerializer, responses={200: RunSerializer, 202: RunSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Queue what is left, under other limits where they are sent. 200: nothing is left."""
        run = fetch_run(self.request.user, pk)
        resumed = resume(run, request.data)
        return Response(describe(run), status=202 if resumed else 200)


def fetch_run(user: User, pk: int) -> Run:
    known = Run.objects.select_related("dataset", "evaluator")
    return fetch_in_dataset(user, known, pk, "dataset", *READERS)


def describe(run: Run) -> dict[str, Any]:
    progress = progress_of(run)
    row = {
        "run": run,
        "progress": progress,
        "spent": {
            "paid": progress.paid,
            "cached": progress.cached,
            "tokens": progress.tokens,
            "cost_usd": progress.cost_usd,
            "max_tokens_total": run.max_tokens,
            "max_cost": run.max_cost_usd,
        },
        "failures": [{"reason": reason, "responses": count} for reason, count in progress.reasons],
    }
    return RunSerializer(row).data
