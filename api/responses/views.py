"""Responses and prompts of a dataset: for those who may open their pages, adjudicators and researchers."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotate.access import fetch_dataset, fetch_in_dataset
from annotate.corpus.finding import SORTS, STATES, Search, with_state
from annotate.corpus.reference_facts import ListsFile, listed_prompts, read_reference_facts, store_reference_facts
from annotate.models import CollectedPrompt, Dataset, Prompt, Response, Role
from annotate.models.corpus import ResponseQuerySet
from annotate.prompts.forms import PromptsForm, ReferenceListsForm
from annotate.prompts.import_file import PromptsFile, read_prompts, store_prompts
from annotate.prompts.uploaded import saved
from annotate.prompts.views import READERS
from api.responses.rows import CHUNK, COLUMNS, response_rows
from api.responses.serializers import (
    PromptSerializer,
    PromptsFileSerializer,
    PromptsImportedSerializer,
    ReferenceListSerializer,
    ReferenceListsFileSerializer,
    ReferenceListsImportedSerializer,
    ResponseSerializer,
    WholeResponseSerializer,
)
from api.rest.idempotency import once_after
from api.rest.pages import OrderedPages, Pages
from api.rest.problems import Unprocessable, check_form
from api.rest.streams import StreamedListView, chosen_columns
from api.rest.views import ApiView, ListView

FILTERS = [
    OpenApiParameter("q", str, description="Words of the response or its prompt, or its index."),
    OpenApiParameter("domain", str),
    OpenApiParameter("subject", str),
    OpenApiParameter("state", str, enum=list(STATES)),
    OpenApiParameter("details", str, description="Text in the details."),
    OpenApiParameter("sort", str, enum=list(SORTS), description="The order of the file without it."),
]


class PagesByPosition(Pages):
    """In the order of the file."""

    ordering = ("position",)


class ResponsesView(StreamedListView):
    """The responses of a dataset."""

    serializer_class = ResponseSerializer
    pagination_class = OrderedPages
    columns = COLUMNS
    dataset: Dataset

    def rows(self) -> ResponseQuerySet:
        query = self.request.query_params
        if query.get("state", "") not in ("", *STATES):
            raise Unprocessable(f"There is no such state; there are {', '.join(STATES)}.")
        if query.get("sort", "position") not in SORTS:
            raise Unprocessable(f"There is no such order; there are {', '.join(SORTS)}.")
        return with_state(Search.read(query).ordered(self.dataset)).select_related("prompt")

    def plain_rows(self, rows: ResponseQuerySet) -> Iterable[dict[str, Any]]:
        return response_rows(self.dataset, rows.iterator(chunk_size=CHUNK))

    def data_of(self, page: list[Any]) -> list[dict[str, Any]]:
        names = chosen_columns(self.request, self.columns)
        return [{name: row[name] for name in names} for row in response_rows(self.dataset, page)]

    @extend_schema(operation_id="responses", parameters=FILTERS, responses=ResponseSerializer(many=True))
    def get(self, request: Request, pk: int) -> HttpResponseBase:  # type: ignore[override]
        """The responses, filtered and sorted as on the page, with their segments and the facts that are judged."""
        self.dataset = fetch_dataset(self.request.user, pk, *READERS)
        return super().get(request)


class ResponseView(ApiView):
    """One response."""

    @extend_schema(operation_id="response", responses=WholeResponseSerializer)
    def get(self, request: Request, pk: int) -> Answer:
        """The response with its segments, facts, sources and samples."""
        visible = with_state(Response.objects.visible()).select_related("dataset", "prompt")
        response = fetch_in_dataset(self.request.user, visible, pk, "dataset", *READERS)
        (row,) = response_rows(response.dataset, [response])
        of_it = {
            "dataset": response.dataset_id,
            "references": list(response.references.values("url", "content")),
            "samples": list(response.other_samples.values_list("text", flat=True)),
        }
        return Answer(row | of_it)


class PromptsView(ListView):
    """The collected prompts of a dataset."""

    serializer_class = PromptSerializer
    pagination_class = PagesByPosition
    parser_classes = [MultiPartParser]
    dataset: Dataset

    def rows(self) -> QuerySet[CollectedPrompt]:
        return self.dataset.collected_prompts.all()

    @extend_schema(operation_id="prompts", responses=PromptSerializer(many=True))
    def get(self, request: Request, pk: int) -> Answer:
        """The prompts that are collected to be answered."""
        self.dataset = fetch_dataset(self.request.user, pk, *READERS)
        return super().get(request)

    @contextmanager
    def read_file(self, request: Request, pk: int) -> Iterator[PromptsFile]:
        self.dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        form = PromptsForm(request.POST, request.FILES)
        check_form(form)
        with saved(form.cleaned_data["file"]) as path:
            yield read_prompts(self.dataset, path)

    @once_after(read_file)
    @extend_schema(
        operation_id="prompts_import",
        request={"multipart/form-data": PromptsFileSerializer},
        responses={201: PromptsImportedSerializer},
    )
    def post(self, request: Request, pk: int, prepared: PromptsFile) -> Answer:
        """Add the prompts of a file."""
        made = PromptsImportedSerializer(store_prompts(self.dataset, prepared)).data
        return Answer(made, status=201, headers={"Location": reverse("api:prompts", args=[pk])})


class ReferenceListsView(ListView):
    """The reference lists of a dataset."""

    serializer_class = ReferenceListSerializer
    parser_classes = [MultiPartParser]
    dataset: Dataset

    def rows(self) -> QuerySet[Prompt]:
        return listed_prompts(self.dataset)

    @extend_schema(operation_id="reference_lists", responses=ReferenceListSerializer(many=True))
    def get(self, request: Request, pk: int) -> Answer:
        """The facts that a complete answer states, of each prompt with such a list."""
        self.dataset = fetch_dataset(self.request.user, pk, *READERS)
        return super().get(request)

    @contextmanager
    def read_file(self, request: Request, pk: int) -> Iterator[ListsFile]:
        self.dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        form = ReferenceListsForm(request.POST, request.FILES)
        check_form(form)
        with saved(form.cleaned_data["file"]) as path:
            yield read_reference_facts(self.dataset, path, form.cleaned_data["replace"])

    @once_after(read_file)
    @extend_schema(
        operation_id="reference_lists_import",
        request={"multipart/form-data": ReferenceListsFileSerializer},
        responses={201: ReferenceListsImportedSerializer},
    )
    def post(self, request: Request, pk: int, prepared: ListsFile) -> Answer:
        """Give prompts the lists of a file."""
        made = ReferenceListsImportedSerializer(store_reference_facts(prepared)).data
        return Answer(made, status=201, headers={"Location": reverse("api:reference-lists", args=[pk])})
