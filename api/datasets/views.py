"""Datasets: list, create, describe, delete."""

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset
from annotate.datasets.create import may_create, may_create_sandbox
from annotate.datasets.create_recorded import create_recorded
from annotate.datasets.delete import begin_deletion
from annotate.datasets.forms import DeleteForm
from annotate.models import Dataset, Role
from api.datasets.serializers import (
    DatasetChangeSerializer,
    DatasetNameSerializer,
    DatasetSerializer,
    DeletionSerializer,
    NewDatasetSerializer,
)
from api.rest.idempotency import once
from api.rest.problems import check_form
from api.rest.sent import read_body
from api.rest.views import ApiView, ListView, check_match, etag_of
from audit.models import Action
from audit.record import record


class DatasetsView(ListView):
    """Your datasets."""

    serializer_class = DatasetSerializer
    of_whole_account = True

    def rows(self) -> QuerySet[Dataset]:
        return Dataset.objects.of(self.request.user)

    @extend_schema(operation_id="datasets_list", responses=DatasetSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Your datasets, the oldest first."""
        return super().get(request)

    @once
    @extend_schema(operation_id="datasets_create", request=NewDatasetSerializer, responses={201: DatasetSerializer})
    def post(self, request: Request) -> Response:
        """Create an empty dataset or sandbox, of which you are adjudicator."""
        creates = may_create(self.request.user)
        if not creates and not may_create_sandbox(self.request.user):
            raise PermissionDenied("You cannot create datasets. A site administrator can give you the right.")
        sent = read_body(NewDatasetSerializer, request)
        sandbox = sent.get("sandbox", False)
        if not creates and not sandbox:
            raise PermissionDenied("You can create sandboxes only. A site administrator can give you the right.")
        made = create_recorded(request._request, self.request.user, sent, sandbox=sandbox)
        location = reverse("api:dataset", args=[made.pk])
        return Response(DatasetSerializer(made).data, status=201, headers={"Location": location})


class DatasetView(ApiView):
    """One dataset."""

    @extend_schema(operation_id="dataset", responses=DatasetSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The dataset, with the ETag that a change names."""
        data = DatasetSerializer(fetch_dataset(self.request.user, pk), context={"request": request}).data
        return Response(data, headers={"ETag": etag_of(data)})

    @extend_schema(operation_id="dataset_delete", request=DatasetNameSerializer, responses={202: DeletionSerializer})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete the dataset with all that belongs to it: follow the deletion at its address."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR, even_archived=True)
        sent = read_body(DatasetNameSerializer, request)
        check_form(DeleteForm(dataset, sent))
        deletion = begin_deletion(request._request, dataset, self.request.user)
        location = reverse("api:deletion", args=[deletion.pk])
        return Response(DeletionSerializer(deletion).data, status=202, headers={"Location": location})

    @extend_schema(operation_id="dataset_change", request=DatasetChangeSerializer, responses=DatasetSerializer)
    @transaction.atomic
    def patch(self, request: Request, pk: int) -> Response:
        """Rename and describe. Send the ETag as If-Match."""
        fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        dataset = Dataset.objects.select_for_update().get(pk=pk)
        check_match(request, DatasetSerializer(dataset).data)
        before = dataset.name
        sent = DatasetChangeSerializer(dataset, data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        sent.save()
        if dataset.name != before:
            record(request._request, Action.DATASET_RENAMED, dataset, detail=f"before: {before}")
        data = DatasetSerializer(dataset).data
        return Response(data, headers={"ETag": etag_of(data)})
