"""Imports: a file is sent and checked, confirmed, followed or discarded."""

from contextlib import AbstractContextManager
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_own_upload, own_uploads
from annotate.corpus.forms import UPLOAD_FIELDS, UploadForm
from annotate.corpus.uploads import checked, confirm, discard, may_upload
from annotate.models import Import, Role, Upload, User
from api.imports.serializers import (
    FileIntoDatasetSerializer,
    ImportListSerializer,
    ImportSerializer,
    NewImportSerializer,
)
from api.rest.idempotency import once, once_after
from api.rest.pages import NewestFirst
from api.rest.problems import Conflict, check_form
from api.rest.views import ApiView, ListView


def _checked(user: User, request: Request, **fields: Any) -> AbstractContextManager[Upload]:
    """The file of the request, checked; `fields` go before its own."""
    form = UploadForm(user, {**request.POST.dict(), **fields}, request.FILES)
    form.fields["format"].required = True
    if form.is_valid() and form.cleaned_data["format"] == Import.Format.MAPPED and not form.cleaned_data["recipe"]:
        form.add_error("recipe", "Name a recipe, or send one as JSON.")
    check_form(form)
    values = [form.cleaned_data[name] for name in UPLOAD_FIELDS]
    return checked(user, *values, skip=request.POST.getlist("skip"))


def _saved(upload: Upload) -> Response:
    upload.save()
    location = reverse("api:import", args=[upload.pk])
    return Response(ImportSerializer(upload).data, status=201, headers={"Location": location})


class ImportsView(ListView):
    """Files into datasets by name."""

    parser_classes = [MultiPartParser]
    serializer_class = ImportListSerializer
    pagination_class = NewestFirst
    of_whole_account = True

    def rows(self) -> QuerySet[Upload]:
        return own_uploads(self.request.user)

    @extend_schema(operation_id="imports_list", responses=ImportListSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The files that you sent, the newest first."""
        return super().get(request)

    def check_file(self, request: Request) -> AbstractContextManager[Upload]:
        if not may_upload(self.request.user):
            raise PermissionDenied("You may not import data: you adjudicate no dataset and may not make one.")
        return _checked(self.request.user, request)

    @once_after(check_file)
    @extend_schema(
        operation_id="imports_create",
        request={"multipart/form-data": NewImportSerializer},
        responses={201: ImportSerializer},
    )
    def post(self, request: Request, prepared: Upload) -> Response:
        """Send a file for a dataset of this name. It is checked at once, and imported once you confirm it."""
        return _saved(prepared)


class DatasetImportsView(ApiView):
    """Files into one dataset."""

    parser_classes = [MultiPartParser]

    def check_file(self, request: Request, pk: int) -> AbstractContextManager[Upload]:
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        return _checked(self.request.user, request, dataset_name=dataset.name)

    @once_after(check_file)
    @extend_schema(
        operation_id="dataset_imports_create",
        request={"multipart/form-data": FileIntoDatasetSerializer},
        responses={201: ImportSerializer},
    )
    def post(self, request: Request, pk: int, prepared: Upload) -> Response:
        """Send a file for this dataset. It is checked at once, and imported once you confirm it."""
        return _saved(prepared)


class ImportView(ApiView):
    """One file that you sent."""

    @extend_schema(operation_id="import", responses=ImportSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The report of its check, and how far its import is."""
        return Response(ImportSerializer(fetch_own_upload(self.request.user, pk)).data)

    @extend_schema(operation_id="import_discard", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Forget a file that is not confirmed."""
        if not discard(fetch_own_upload(self.request.user, pk)):
            raise Conflict("The import was confirmed and cannot be discarded.")
        return Response(status=204)


class ImportConfirmView(ApiView):
    """The start of an import."""

    @once
    @extend_schema(operation_id="import_confirm", request=None, responses={202: ImportSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Import the checked file: follow its `state`."""
        upload = fetch_own_upload(self.request.user, pk)
        confirm(upload)
        upload.refresh_from_db()
        location = reverse("api:import", args=[pk])
        return Response(ImportSerializer(upload).data, status=202, headers={"Location": location})
