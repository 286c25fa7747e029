"""Outside evaluators: make a run, lease its cases, renew the leases, send judgements."""

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset
from api.models import Scope
from api.outside.serializers import (
    JudgementsSerializer,
    LeaseRenewalSerializer,
    LeaseSerializer,
    NewLeaseSerializer,
    NewOutsideRunSerializer,
    ReceivedSerializer,
    RenewedLeaseSerializer,
)
from api.rest.access import READERS
from api.rest.idempotency import once
from api.rest.problems import Conflict
from api.rest.sent import read_body
from api.rest.views import ApiView
from api.runs.serializers import RunSerializer
from api.runs.views import describe, fetch_run
from evaluators.runs.outside import create_outside_run, lease_cases, receive_cases, renew_cases


class OutsideRunsView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(
        operation_id="outside_runs_create",
        request=NewOutsideRunSerializer,
        responses={200: RunSerializer, 201: RunSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """A run that programs elsewhere work on. 200: the same run is there, and more programs can join it."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        sent = read_body(NewOutsideRunSerializer, request)
        name = sent.pop("evaluator")
        new = create_outside_run(dataset, name, **sent, created_by=self.request.user)
        location = reverse("api:run", args=[new.run.pk])
        return Response(describe(new.run), status=201 if new.created else 200, headers={"Location": location})


class LeasesView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(operation_id="run_leases_create", request=NewLeaseSerializer, responses={201: LeaseSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Take cases that nobody holds. None: the run has ended (`state`), or others hold the rest."""
        run = fetch_run(self.request.user, pk)
        sent = read_body(NewLeaseSerializer, request)
        leased = lease_cases(run, **sent, who=self.request.user)
        run.refresh_from_db(fields=["state"])
        answer = {"lease": leased.owner, "until": leased.until, "state": run.state, "cases": leased.cases}
        return Response(LeaseSerializer(answer).data, status=201)


class LeaseRenewalView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(
        operation_id="run_leases_renew", request=LeaseRenewalSerializer, responses={200: RenewedLeaseSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Lengthen a lease. 409: it holds nothing any more."""
        run = fetch_run(self.request.user, pk)
        sent = read_body(LeaseRenewalSerializer, request)
        cases, until = renew_cases(run, sent["lease"], sent["seconds"])
        if not cases:
            raise Conflict("The lease holds no case any more.")
        return Response(RenewedLeaseSerializer({"until": until, "cases": cases}).data)


class JudgementsView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(
        operation_id="run_judgements_send", request=JudgementsSerializer, responses={200: ReceivedSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Send the judgements of leased cases: all are kept or none. The run ends with its last case."""
        run = fetch_run(self.request.user, pk)
        sent = JudgementsSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        received = receive_cases(run, sent.validated_data["lease"], sent.sent_cases())
        run.refresh_from_db(fields=["state"])
        answer = {"stored": received.stored, "failed": received.failed, "lost": received.lost, "state": run.state}
        return Response(ReceivedSerializer(answer).data)
