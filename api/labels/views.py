"""Labels and agreement, for adjudicators and researchers."""

from collections.abc import Iterable
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
from annotate.models import Label, ViewReceipt
from annotate.people.names import Names, names_for
from annotate.people.receipts import note_receipts
from api.labels.serializers import COLUMNS, LabelFilterSerializer, LabelSerializer
from api.rest.access import READERS
from api.rest.pages import Pages
from api.rest.sent import read_query
from api.rest.streams import StreamedListView
from api.rest.views import ApiView
from core.parquet import Row


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
        asked = read_query(LabelFilterSerializer, self.request)
        self.names = names_for(role, dataset)
        labels = readable_labels(dataset, role or "")
        if "value" in asked:
            labels = labels.filter(value=asked["value"])
        if "response" in asked:
            labels = labels.filter(segment__response=asked["response"])
        related = ("segment__response", "fact", "assignment__annotator")
        return labels.select_related(*related).prefetch_related(with_snapshots())

    def plain_rows(self, rows: QuerySet[Label]) -> Iterable[Row]:
        tasks = rows.order_by().values_list("assignment__task", flat=True).distinct()
        note_receipts(list(tasks), self.request.user, ViewReceipt.What.LABELS)
        return super().plain_rows(rows)

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
