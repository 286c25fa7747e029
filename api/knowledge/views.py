"""Knowledge sources and links of a dataset."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_in_dataset, role_in
from annotate.evidence.find import find
from annotate.evidence.forms import DocumentsForm
from annotate.evidence.source import choose_source, documents_of, sizes, sources_to_choose
from annotate.evidence.uploads import receive
from annotate.links.reach import READERS
from annotate.links.table import CONDITIONS, SORTS, chosen_links, links_of, links_with_condition
from annotate.links.write import request_missing
from annotate.models import Dataset, DocumentUpload, ReferenceLink, Role
from annotate.people.names import names_for
from api.knowledge.serializers import (
    ChosenSourceSerializer,
    DocumentSerializer,
    DocumentUploadSerializer,
    LinkSerializer,
    NewDocumentsSerializer,
    PassageQuerySerializer,
    PassagesSerializer,
    RequestedPagesSerializer,
    SourceChoiceSerializer,
    SourceSerializer,
)
from api.rest.idempotency import once
from api.rest.pages import OrderedPages
from api.rest.problems import Unprocessable, check_form
from api.rest.sent import read_body, read_query
from api.rest.views import ApiView, ListView, check_match, etag_of
from knowledge.models import KnowledgeSource

CONDITION = OpenApiParameter("condition", str, enum=list(CONDITIONS))
SORT = OpenApiParameter("sort", str, enum=list(SORTS), description="The newest first without it.")


class SourcesView(ListView):
    """The sources that a dataset may read."""

    serializer_class = SourceSerializer
    dataset: Dataset

    def rows(self) -> QuerySet[KnowledgeSource]:
        return sources_to_choose(self.dataset)

    @extend_schema(operation_id="knowledge_sources", responses=SourceSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Its own sources, and those that are shared."""
        self.dataset = fetch_dataset(self.request.user, pk, *READERS)
        return super().get(request)


class ChosenSourceView(ApiView):
    """The source that a dataset is judged by."""

    @extend_schema(operation_id="knowledge", responses=ChosenSourceSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The source, with the ETag that a change names."""
        data = _chosen(fetch_dataset(self.request.user, pk, *READERS))
        return Response(data, headers={"ETag": etag_of(data)})

    @extend_schema(operation_id="knowledge_choose", request=SourceChoiceSerializer, responses=ChosenSourceSerializer)
    @transaction.atomic
    def put(self, request: Request, pk: int) -> Response:
        """Choose another source. Send the ETag as If-Match."""
        fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        dataset = Dataset.objects.select_for_update().get(pk=pk)
        check_match(request, _chosen(dataset))
        sent = read_body(SourceChoiceSerializer, request)
        try:
            choose_source(dataset, sent["source"] or "")
        except KnowledgeSource.DoesNotExist:
            raise Unprocessable("There is no such source.") from None
        data = _chosen(Dataset.objects.get(pk=pk))
        return Response(data, headers={"ETag": etag_of(data)})


def _chosen(dataset: Dataset) -> dict[str, Any]:
    source = dataset.knowledge_source
    of_source: dict[str, Any] = dict(sizes(source)) if source else dict.fromkeys(("documents", "passages", "datasets"))
    return {"source": source and source.name, **of_source}


class DocumentUploadsView(ListView):
    """Files of documents that were sent for a dataset."""

    serializer_class = DocumentUploadSerializer
    parser_classes = [MultiPartParser]
    dataset: Dataset

    def rows(self) -> QuerySet[DocumentUpload]:
        return self.dataset.document_uploads.all()

    @extend_schema(operation_id="document_uploads", responses=DocumentUploadSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The files, and how far their imports are."""
        self.dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        return super().get(request)

    @once
    @extend_schema(
        operation_id="document_upload_create",
        request={"multipart/form-data": NewDocumentsSerializer},
        responses={202: DocumentUploadSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Send documents for a source of the dataset: follow the `state`."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        form = DocumentsForm(request.POST, request.FILES)
        check_form(form)
        upload = receive(self.request.user, dataset, form.sent())
        location = reverse("api:document-upload", args=[upload.pk])
        return Response(DocumentUploadSerializer(upload).data, status=202, headers={"Location": location})


class DocumentUploadView(ApiView):
    """One file of documents."""

    @extend_schema(operation_id="document_upload", responses=DocumentUploadSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """How far its import is."""
        uploads = DocumentUpload.objects.select_related("dataset")
        upload = fetch_in_dataset(self.request.user, uploads, pk, "dataset", Role.ADJUDICATOR)
        return Response(DocumentUploadSerializer(upload).data)


class PassagesView(ApiView):
    """Search in the source of a dataset."""

    @extend_schema(operation_id="passages", parameters=[PassageQuerySerializer], responses=PassagesSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The best passages for the query."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        asked = read_query(PassageQuerySerializer, request)
        found = find(dataset, [], asked["query"], asked["k"])
        results = [
            {
                "document": each.document,
                "title": each.title,
                "url": each.url,
                "position": each.position,
                "text": "".join(piece.text for piece in each.pieces),
            }
            for each in found
        ]
        return Response({"results": results})


class DocumentView(ApiView):
    """One document."""

    @extend_schema(operation_id="document", responses=DocumentSerializer)
    def get(self, request: Request, pk: int, document: int) -> Response:
        """The whole document of the dataset's source."""
        dataset = fetch_dataset(self.request.user, pk)
        return Response(DocumentSerializer(get_object_or_404(documents_of(dataset), pk=document)).data)


class LinksView(ListView):
    """The links that labels in force and current gold cite."""

    serializer_class = LinkSerializer
    pagination_class = OrderedPages
    dataset: Dataset

    def rows(self) -> QuerySet[ReferenceLink]:
        condition, sort = (self.request.query_params.get(name, "") for name in ("condition", "sort"))
        if condition not in ("", *CONDITIONS):
            raise Unprocessable(f"There is no such condition; there are {', '.join(CONDITIONS)}.")
        if sort not in ("", *SORTS):
            raise Unprocessable(f"There is no such order; there are {', '.join(SORTS)}.")
        return chosen_links(links_with_condition(self.dataset), condition, sort)

    def data_of(self, page: list[Any]) -> Any:
        names = names_for(role_in(self.request.user, self.dataset), self.dataset)
        return LinkSerializer(page, many=True, context={"request": self.request, "names": names}).data

    @extend_schema(operation_id="links", parameters=[CONDITION, SORT], responses=LinkSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The links, with the state of their pages."""
        self.dataset = fetch_dataset(self.request.user, pk, *READERS)
        return super().get(request)

    @once
    @extend_schema(operation_id="links_request", request=None, responses={202: RequestedPagesSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Fetch the pages that nobody has asked for: follow the `condition` of the links."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        requested = request_missing(links_of(dataset))
        location = reverse("api:links", args=[pk])
        return Response({"requested": requested}, status=202, headers={"Location": location})
