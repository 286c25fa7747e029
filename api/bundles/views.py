"""Results bundles: a file is sent and checked, imported by a worker, and followed."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_in_dataset
from api.bundles.serializers import NewResultsSerializer, ResultsImportSerializer
from api.models import Scope
from api.rest.access import READERS
from api.rest.idempotency import once_after
from api.rest.pages import NewestFirst
from api.rest.problems import check_form
from api.rest.views import ApiView, ListView
from evaluators.bundle.receive import checked_bundle, keep_bundle
from evaluators.bundle.views import BundleForm
from evaluators.models import ResultsUpload


class ResultsImportsView(ListView):
    """Results bundles that were sent for a dataset."""

    parser_classes = [MultiPartParser]
    serializer_class = ResultsImportSerializer
    pagination_class = NewestFirst
    write_scope = Scope.EVALUATE

    def rows(self) -> QuerySet[ResultsUpload]:
        dataset = fetch_dataset(self.request.user, self.kwargs["pk"], *READERS)
        return dataset.results_uploads.all()

    @extend_schema(operation_id="results_imports_list", responses=ResultsImportSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The bundles, the newest first, and how far their imports are."""
        return super().get(request)

    @contextmanager
    def check_file(self, request: Request, pk: int) -> Iterator[ResultsUpload]:
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        form = BundleForm(request.POST, request.FILES)
        check_form(form)
        sent = (form.cleaned_data[name] for name in ("file", "suffix", "other_gold"))
        with checked_bundle(self.request.user, dataset, *sent) as upload:
            yield upload

    @once_after(check_file)
    @extend_schema(
        operation_id="results_imports_create",
        request={"multipart/form-data": NewResultsSerializer},
        responses={202: ResultsImportSerializer},
    )
    def post(self, request: Request, pk: int, prepared: ResultsUpload) -> Response:
        """Send a results bundle. It is checked at once; then follow the `state` of its import."""
        keep_bundle(prepared)
        location = reverse("api:results-import", args=[prepared.pk])
        return Response(ResultsImportSerializer(prepared).data, status=202, headers={"Location": location})


class ResultsImportView(ApiView):
    """One results bundle that was sent."""

    @extend_schema(operation_id="results_import", responses=ResultsImportSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """How far its import is, and its report."""
        uploads = ResultsUpload.objects.select_related("dataset")
        upload = fetch_in_dataset(self.request.user, uploads, pk, "dataset", *READERS)
        return Response(ResultsImportSerializer(upload).data)
