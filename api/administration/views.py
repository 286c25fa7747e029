"""What adjudicators do with a dataset: guidelines, settings, archive, deletion; and its statistics."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import admit_superuser, fetch_dataset, fetch_own_deletion
from annotate.administration.guidelines import GuidelineError, StaleGuidelineError, save_guidelines
from annotate.administration.settings import changed_form, settings_of
from annotate.datasets.archive import archive, restore
from annotate.models import Dataset, Guideline, Role
from annotate.statistics.figures import build_dataset_stats
from annotate.suggestions import setting as suggestions
from api.administration.serializers import (
    GuidelineSerializer,
    NewGuidelineSerializer,
    SettingsSerializer,
    SuggestionsSerializer,
)
from api.comparison.serializers import AtKSerializer
from api.datasets.serializers import DatasetSerializer, DeletionSerializer
from api.rest.idempotency import once
from api.rest.pages import Pages
from api.rest.problems import Conflict, Unprocessable, check_form, sentence_of
from api.rest.sent import read_body, read_query
from api.rest.views import ApiView, ListView, check_match, etag_of


class NewestFirst(Pages):
    ordering = ("-version",)


class GuidelinesView(ListView):
    """The guidelines of a dataset."""

    serializer_class = GuidelineSerializer
    pagination_class = NewestFirst
    dataset: Dataset

    def rows(self) -> QuerySet[Guideline]:
        return self.dataset.guidelines.all()

    @extend_schema(operation_id="guidelines", responses=GuidelineSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Every version, the one in force first."""
        self.dataset = fetch_dataset(self.request.user, pk)
        return super().get(request)

    @once
    @extend_schema(operation_id="guidelines_save", request=NewGuidelineSerializer, responses={201: GuidelineSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Save a new version."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        sent = read_body(NewGuidelineSerializer, request)
        try:
            made = save_guidelines(dataset, **sent)
        except StaleGuidelineError as error:
            raise Conflict(
                f"Version {error.newer.version} was made meanwhile: read it, then send it as since."
            ) from None
        except GuidelineError as error:
            raise Unprocessable(sentence_of(error)) from None
        location = reverse("api:guidelines", args=[pk])
        return Response(GuidelineSerializer(made).data, status=201, headers={"Location": location})


class SettingsView(ApiView):
    """The settings of a dataset."""

    @extend_schema(operation_id="settings", responses=SettingsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The settings, with the ETag that a change names."""
        data = _settings(fetch_dataset(self.request.user, pk, Role.ADJUDICATOR))
        return Response(data, headers={"ETag": etag_of(data)})

    @extend_schema(operation_id="settings_change", request=SettingsSerializer, responses=SettingsSerializer)
    @transaction.atomic
    def patch(self, request: Request, pk: int) -> Response:
        """Change settings; earlier work does not change. Send the ETag as If-Match."""
        fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        dataset = Dataset.objects.select_for_update().get(pk=pk)
        check_match(request, _settings(dataset))
        sent = SettingsSerializer(data=request.data, partial=True, context={"names": settings_of(dataset)})
        sent.is_valid(raise_exception=True)
        form = changed_form(dataset, sent.validated_data)
        check_form(form)
        form.store()
        data = _settings(dataset)
        return Response(data, headers={"ETag": etag_of(data)})


def _settings(dataset: Dataset) -> dict[str, Any]:
    return dict(SettingsSerializer(settings_of(dataset)).data)


class SuggestionsView(ApiView):
    """Whether annotators see what a run says of units."""

    @extend_schema(operation_id="suggestions", responses=SuggestionsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The setting, with the ETag that a change names."""
        data = _suggestions(fetch_dataset(self.request.user, pk, Role.ADJUDICATOR))
        return Response(data, headers={"ETag": etag_of(data)})

    @extend_schema(operation_id="suggestions_change", request=SuggestionsSerializer, responses=SuggestionsSerializer)
    @transaction.atomic
    def patch(self, request: Request, pk: int) -> Response:
        """Change it as a site administrator; tasks that were opened before do not change. Send the ETag as If-Match."""
        fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        admit_superuser(self.request.user)
        dataset = Dataset.objects.select_for_update().get(pk=pk)
        check_match(request, _suggestions(dataset))
        sent = SuggestionsSerializer(data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        form = suggestions.changed_form(dataset, sent.validated_data)
        check_form(form)
        form.store(request._request)
        data = _suggestions(dataset)
        return Response(data, headers={"ETag": etag_of(data)})


def _suggestions(dataset: Dataset) -> dict[str, Any]:
    return dict(SuggestionsSerializer(suggestions.setting_of(dataset)).data)


class ArchiveView(ApiView):
    """A dataset out of work."""

    @once
    @extend_schema(operation_id="dataset_archive", request=None, responses=DatasetSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Archive the dataset: it is only read from now on."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR, even_archived=True)
        archive(request._request, dataset)
        return Response(DatasetSerializer(dataset).data)


class RestoreView(ApiView):
    """A dataset in work again."""

    @once
    @extend_schema(operation_id="dataset_restore", request=None, responses=DatasetSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Bring the archived dataset back."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR, even_archived=True)
        restore(request._request, dataset)
        return Response(DatasetSerializer(dataset).data)


class DeletionView(ApiView):
    """The deletion of a dataset."""

    @extend_schema(operation_id="deletion", responses=DeletionSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """How far the deletion is that you asked for."""
        return Response(DeletionSerializer(fetch_own_deletion(self.request.user, pk)).data)


class StatisticsView(ApiView):
    """The sizes of a dataset."""

    @extend_schema(operation_id="statistics", parameters=[AtKSerializer], responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        """The document of the command `dataset_stats --json`."""
        dataset = fetch_dataset(self.request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
        asked = read_query(AtKSerializer, request)
        return Response(build_dataset_stats(dataset, k=asked["k"]))
