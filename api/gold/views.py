"""Gold labels, for those who read them; cases, unanimous units, versions and releases, for those who make gold."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.db import transaction
from django.db.models import QuerySet
from django.http import FileResponse, Http404
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_in_dataset
from annotate.adjudication.decide import DecidedMeanwhileError, DecisionError
from annotate.adjudication.fetch_case import fetch_case
from annotate.adjudication.forms import DecisionForm
from annotate.adjudication.queue import queue_of
from annotate.adjudication.unanimous import accept_unanimous, unanimous_in
from annotate.gold.freeze import FreezeError, freeze_gold
from annotate.links.frozen import with_snapshots
from annotate.models import Disagreement, GoldLabel, GoldVersion, Release, Role, User, ViewReceipt
from annotate.people.receipts import note_receipts
from annotate.release.releases import ask_for
from api.gold.serializers import (
    COLUMNS,
    AcceptedSerializer,
    AcceptSerializer,
    AdjudicationCaseSerializer,
    CaseChoiceSerializer,
    CasesSerializer,
    GoldLabelSerializer,
    GoldVersionSerializer,
    NewGoldVersionSerializer,
    NewReleaseSerializer,
    ReleaseSerializer,
    UnanimousSerializer,
)
from api.rest.access import READERS
from api.rest.idempotency import once
from api.rest.pages import LARGEST_PAGE, PAGE, Pages
from api.rest.problems import Conflict, Unprocessable
from api.rest.sent import read_body
from api.rest.streams import StreamedListView
from api.rest.views import ApiView, FileView, ListView
from audit.models import Action
from audit.record import record
from core.errors import not_saved
from core.numbers import read_number
from core.parquet import Row

SEEN = ViewReceipt.What.LABELS


class GoldPages(Pages):
    """Whoever reads gold has seen what became of the labels."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        page: list[Any] = super().paginate_queryset(queryset, request, view) or []
        note_receipts({each.segment.response.task_id for each in page} - {None}, view.request.user, SEEN)
        return page


class GoldView(StreamedListView):
    """The gold labels of a dataset."""

    serializer_class = GoldLabelSerializer
    pagination_class = GoldPages
    columns = COLUMNS

    def rows(self) -> QuerySet[GoldLabel]:
        dataset = fetch_dataset(self.request.user, self.kwargs["pk"], *READERS)
        version = self.request.query_params.get("version", "")
        revision = dataset.find_gold_revision(version) if version else None
        gold = GoldLabel.objects.of(dataset).without_removed(revision)
        gold = gold.current() if revision is None else gold.at(revision)
        category = self.request.query_params.get("category", "")
        if category not in ("", *Disagreement.values):
            raise Unprocessable(f"There is no such category; there are {', '.join(Disagreement.values)}.")
        if category:
            gold = gold.filter(adjudication__category=category)
        return gold.select_related("segment__response", "fact", "adjudication__who").prefetch_related(with_snapshots())

    def plain_rows(self, rows: QuerySet[GoldLabel]) -> Iterable[Row]:
        tasks = rows.order_by().filter(segment__response__task__isnull=False)
        note_receipts(list(tasks.values_list("segment__response__task", flat=True).distinct()), self.request.user, SEEN)
        return super().plain_rows(rows)

    @extend_schema(
        operation_id="gold",
        parameters=[
            OpenApiParameter("version", description="The name of a version; current gold without it."),
            OpenApiParameter(
                "category",
                enum=Disagreement.values,
                description="Only what was decided for this cause of disagreement.",
            ),
        ],
        responses=GoldLabelSerializer(many=True),
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:  # type: ignore[override]
        """Current gold, or that of a version; labels of removed responses are left out."""
        return super().get(request)


class CasesView(ApiView):
    """The units of a dataset that wait for an adjudicator."""

    @extend_schema(
        operation_id="cases",
        responses=CasesSerializer,
        parameters=[
            OpenApiParameter("slice", description="A domain (FELM), or a subject model (FActScore)."),
            OpenApiParameter("after", description="Of `next`: the case after which the page begins."),
            OpenApiParameter("page_size", int, description=f"{PAGE} without it, {LARGEST_PAGE} at most."),
        ],
    )
    def get(self, request: Request, pk: int) -> Response:
        """The queue as on its page, challenged cases first. Corrections and removals are settled on their pages."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        query = request.query_params
        queue = queue_of(dataset, query.get("slice", ""))
        size = min(read_number(query.get("page_size", "")) or PAGE, LARGEST_PAGE)
        keys = [case.key for case in queue.cases]
        start = keys.index(query["after"]) + 1 if query.get("after") in keys else 0
        page = queue.cases[start : start + size]
        note_receipts({case.task for case in page if case.votes}, self.request.user, SEEN)
        more = {"slice": queue.chosen, "page_size": size, "after": page[-1].key} if page else {}
        following = request.build_absolute_uri(f"?{urlencode(more)}") if start + size < len(keys) else None
        found = {"total": queue.total, "unanimous": queue.unanimous, "slices": queue.slices}
        return Response(CasesSerializer({**found, "next": following, "results": page}).data)


class CaseView(ApiView):
    """A segment to settle, or a sentence as a whole."""

    @extend_schema(operation_id="case", responses=AdjudicationCaseSerializer)
    def get(self, request: Request, pk: int, segment: int) -> Response:
        """What its annotators say, and what was decided."""
        return Response(_case(self.request.user, pk, segment, None))

    @once
    @extend_schema(
        operation_id="case_settle", request=CaseChoiceSerializer, responses={201: AdjudicationCaseSerializer}
    )
    def post(self, request: Request, pk: int, segment: int) -> Response:
        """Settle it, or change its decision. 409: somebody else has decided since the decision in `seen`."""
        return _settle(request, self.request.user, pk, segment, None)


class FactCaseView(ApiView):
    """An atomic fact to settle."""

    @extend_schema(operation_id="case_of_fact", responses=AdjudicationCaseSerializer)
    def get(self, request: Request, pk: int, segment: int, fact: int) -> Response:
        """What its annotators say, and what was decided."""
        return Response(_case(self.request.user, pk, segment, fact))

    @once
    @extend_schema(
        operation_id="case_of_fact_settle", request=CaseChoiceSerializer, responses={201: AdjudicationCaseSerializer}
    )
    def post(self, request: Request, pk: int, segment: int, fact: int) -> Response:
        """Settle it, or change its decision. 409: somebody else has decided since the decision in `seen`."""
        return _settle(request, self.request.user, pk, segment, fact)


class UnanimousView(ApiView):
    """What all annotators agree on."""

    @extend_schema(operation_id="unanimous", responses=UnanimousSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """How many units and corrections all agree on, and nobody has settled."""
        agreed = unanimous_in(fetch_dataset(self.request.user, pk, Role.ADJUDICATOR))
        found = {"number": agreed.number, "units": len(agreed.cases), "corrections": agreed.corrections}
        return Response(UnanimousSerializer(found).data)

    @once
    @extend_schema(operation_id="unanimous_accept", request=AcceptSerializer, responses={201: AcceptedSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Make all of it gold, under your name."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        chosen = read_body(AcceptSerializer, request)
        try:
            accepted = accept_unanimous(dataset, self.request.user, chosen["why"], chosen["expected"])
        except DecisionError as error:
            raise Unprocessable(f"Not accepted: {error}.") from error
        return Response({"accepted": accepted}, status=201, headers={"Location": reverse("api:gold", args=[pk])})


class GoldVersionsView(ListView):
    """The frozen versions of gold."""

    serializer_class = GoldVersionSerializer

    def rows(self) -> QuerySet[GoldVersion]:
        dataset = fetch_dataset(self.request.user, self.kwargs["pk"], *READERS)
        return dataset.gold_versions.select_related("dataset")

    @extend_schema(operation_id="gold_versions", responses=GoldVersionSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The versions, the oldest first."""
        return super().get(request)

    @once
    @extend_schema(operation_id="gold_freeze", request=NewGoldVersionSerializer, responses={201: GoldVersionSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Give gold as it stands a name."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        sent = read_body(NewGoldVersionSerializer, request)
        try:
            with transaction.atomic():
                version = freeze_gold(dataset, sent["version"], self.request.user)
                record(request._request, Action.GOLD_FROZEN, version, detail=str(dataset))
        except FreezeError as error:
            raise Unprocessable(f"Not frozen: {error}.") from error
        location = reverse("api:gold-version", args=[version.pk])
        return Response(GoldVersionSerializer(version).data, status=201, headers={"Location": location})


class GoldVersionView(ApiView):
    @extend_schema(operation_id="gold_version", responses=GoldVersionSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """One version."""
        versions = GoldVersion.objects.select_related("dataset")
        return Response(
            GoldVersionSerializer(fetch_in_dataset(self.request.user, versions, pk, "dataset", *READERS)).data
        )


class ReleasesView(ListView):
    """The releases of a dataset."""

    serializer_class = ReleaseSerializer

    def rows(self) -> QuerySet[Release]:
        dataset = fetch_dataset(self.request.user, self.kwargs["pk"], *READERS)
        return Release.objects.filter(version__dataset=dataset).select_related("version")

    @extend_schema(operation_id="releases", responses=ReleaseSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The releases, the oldest first."""
        return super().get(request)

    @once
    @extend_schema(operation_id="release_create", request=NewReleaseSerializer, responses={202: ReleaseSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Let a release be made, or find the one that is there. Follow its state at Location."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        chosen = read_body(NewReleaseSerializer, request)
        version = dataset.gold_versions.filter(name=chosen["version"]).first()
        if version is None:
            raise Unprocessable(f"{dataset} has no gold version {chosen['version']!r}.")
        release = ask_for(version, chosen["licence"], chosen["names"], self.request.user, chosen["known"])
        record(request._request, Action.RELEASED, version, detail=f"{dataset}, release {release.pk}")
        location = reverse("api:release", args=[release.pk])
        return Response(ReleaseSerializer(release).data, status=202, headers={"Location": location})


class ReleaseView(ApiView):
    @extend_schema(operation_id="release", responses=ReleaseSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """One release, and how far it is."""
        return Response(ReleaseSerializer(_fetch_release(self.request.user, pk)).data)


class ReleaseFileView(FileView):
    @extend_schema(operation_id="release_file", responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The file. 409: it is missing, so create the release again."""
        release = _fetch_release(self.request.user, pk)
        if release.state != Release.State.DONE:
            raise Http404("This release is not made yet.")
        if release.is_gone:
            raise Conflict("The file of this release is missing: create the release again.")
        return FileResponse(release.file.open("rb"), as_attachment=True)


def _case(user: User, pk: int, segment: int, fact: int | None) -> dict[str, Any]:
    dataset = fetch_dataset(user, pk, Role.ADJUDICATOR)
    return AdjudicationCaseSerializer(fetch_case(user, segment, fact, dataset)).data


def _settle(request: Request, user: User, pk: int, segment: int, fact: int | None) -> Response:
    case = fetch_case(user, segment, fact, fetch_dataset(user, pk, Role.ADJUDICATOR))
    sent = CaseChoiceSerializer(data=request.data)
    sent.is_valid(raise_exception=True)
    form = DecisionForm(sent.form_fields)
    if not form.is_valid():
        raise Unprocessable(" ".join(str(error) for errors in form.errors.values() for error in errors))
    try:
        form.settle(case, user)
    except DecidedMeanwhileError as error:
        raise Conflict(not_saved(error)) from error
    except DecisionError as error:
        raise Unprocessable(not_saved(error)) from error
    return Response(_case(user, pk, segment, fact), status=201, headers={"Location": request.path})


def _fetch_release(user: User, pk: int) -> Release:
    known = Release.objects.select_related("version__dataset")
    return fetch_in_dataset(user, known, pk, "version.dataset", *READERS)
