"""Labels and agreement, for adjudicators and researchers."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, role_in
from annotate.agreement.document import findings_of
from annotate.labels.readable import readable_labels
from annotate.links.frozen import with_snapshots
from annotate.models import Label, Role, ViewReceipt
from annotate.people.names import Names, names_for
from annotate.people.receipts import note_receipts
from api.labels.serializers import COLUMNS, LabelFilterSerializer, LabelSerializer
from api.rest.streams import Row, StreamedListView
from api.rest.views import ApiView, Pages

READERS = (Role.RESEARCHER, Role.ADJUDICATOR)
CHUNK = 2000


class LabelPages(Pages):
    """Whoever reads labels has seen them."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        page: list[Any] = super().paginate_queryset(queryset, request, view) or []
        note_receipts({each.assignment.task_id for each in page}, view.request.user, ViewReceipt.What.LABELS)
        return page


class LabelsView(StreamedListView):
    """The submitted labels of a dataset."""

    serializer_class = LabelSerializer
    pagination_class = LabelPages
    columns = COLUMNS
    names: Names

    def rows(self) -> QuerySet[Label]:
        dataset = fetch_dataset(self.request.user, self.kwargs["pk"], *READERS)
        role = role_in(self.request.user, dataset)
        asked = LabelFilterSerializer(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        self.names = names_for(role, dataset)
        labels = readable_labels(dataset, role or "")
        if "value" in asked.validated_data:
            labels = labels.filter(value=asked.validated_data["value"])
        if "response" in asked.validated_data:
            labels = labels.filter(segment__response=asked.validated_data["response"])
        related = ("segment__response", "fact", "assignment__annotator")
        return labels.select_related(*related).prefetch_related(with_snapshots())

    def plain_rows(self, rows: QuerySet[Label]) -> Iterable[Row]:
        tasks = rows.order_by().values_list("assignment__task", flat=True).distinct()
        note_receipts(list(tasks), self.request.user, ViewReceipt.What.LABELS)
        return self._rendered(rows)

    def _rendered(self, rows: QuerySet[Label]) -> Iterator[Row]:
        shape = LabelSerializer(context={"request": self.request, "view": self})
        for label in rows.order_by("pk").iterator(chunk_size=CHUNK):
            yield shape.to_representation(label)

    @extend_schema(operation_id="labels", parameters=[LabelFilterSerializer], responses=LabelSerializer(many=True))
    def get(self, request: Request, pk: int) -> HttpResponseBase:  # type: ignore[override]
        """The labels in force; for researchers once their task is closed, under pseudonyms. Work alone counts."""
        return super().get(request)


class AgreementView(ApiView):
    """How far the annotators of a dataset agree."""

    @extend_schema(operation_id="agreement", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        """What `agreement --json` prints, under the names that you may see."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        names = names_for(role_in(self.request.user, dataset), dataset)
        return Response(findings_of(dataset, names).agreement)
