"""Public links of frozen comparisons: list, make, revoke."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_in_dataset
from annotate.models import Dataset
from api.rest.access import READERS
from api.rest.idempotency import once, once_after
from api.rest.pages import NewestFirst
from api.rest.problems import Conflict, Unprocessable
from api.rest.views import ApiView, ListView
from api.sharing.serializers import NewPublicLinkSerializer, PublicLinkSerializer
from evaluators.comparison.page_state import NO_GOLD, ComparisonRequest, comparison_asked, has_gold
from evaluators.comparison.question import EVERY_PAIR, asked_question, check_question
from evaluators.comparison.ready import ComparisonProgress, comparison_of
from evaluators.comparison.study import find_version, table_of
from evaluators.models import SharedComparison
from evaluators.sharing.share import ADJUDICATORS_ALONE, may_share_texts, revoke_link, share_comparison


@dataclass(frozen=True)
class ChosenComparison:
    """A comparison whose figures are there, and what is shared of it."""

    comparison: ComparisonRequest
    title: str
    texts: bool


class SharesView(ListView):
    """The public links of a dataset."""

    serializer_class = PublicLinkSerializer
    pagination_class = NewestFirst

    def rows(self) -> QuerySet[SharedComparison]:
        dataset = fetch_dataset(self.request.user, self.kwargs["pk"], *READERS)
        return dataset.shared_comparisons.listed()

    @extend_schema(operation_id="shares_list", responses=PublicLinkSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The links, the newest first. Whoever has a `link` sees what it shares."""
        return super().get(request)

    @contextmanager
    def choose(self, request: Request, pk: int) -> Iterator[ChosenComparison]:
        """The figures are computed here: a transaction that waits for them would keep others from writing."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        sent = NewPublicLinkSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        if sent.validated_data["texts"] and not may_share_texts(self.request.user, dataset):
            raise PermissionDenied(ADJUDICATORS_ALONE)
        comparison = read_comparison(dataset, sent.comparison())
        figures = comparison_of(dataset, comparison.version, comparison.state.question, comparison.since)
        if isinstance(figures, ComparisonProgress):
            raise Conflict("The figures are being computed: share the comparison once its address answers with 200.")
        yield ChosenComparison(comparison, sent.validated_data["title"], sent.validated_data["texts"])

    @once_after(choose)
    @extend_schema(operation_id="shares_create", request=NewPublicLinkSerializer, responses={201: PublicLinkSerializer})
    def post(self, request: Request, pk: int, prepared: ChosenComparison) -> Response:
        """Freeze a comparison behind a new link, which opens without a log-in. 409: its figures are being computed."""
        made = share_comparison(
            request._request, prepared.comparison, self.request.user, prepared.title, texts=prepared.texts
        )
        location = reverse("api:share", args=[made.pk])
        return Response(describe(request, made.pk), status=201, headers={"Location": location})


class ShareView(ApiView):
    """One public link."""

    def fetch(self, pk: int) -> SharedComparison:
        shares = SharedComparison.objects.listed().select_related("dataset")
        return fetch_in_dataset(self.request.user, shares, pk, "dataset", *READERS, even_archived=True)

    @extend_schema(operation_id="share", responses=PublicLinkSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The link, and whether it still works."""
        return Response(describe(request, self.fetch(pk).pk))


class ShareRevokeView(ShareView):
    """The end of a public link."""

    http_method_names = ["post"]

    @once
    @extend_schema(operation_id="share_revoke", request=None, responses=PublicLinkSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Revoke the link, in an archived dataset too: whoever opens it finds nothing."""
        revoke_link(request._request, self.fetch(pk))
        return Response(describe(request, pk))


def read_comparison(dataset: Dataset, asked: dict[str, Any]) -> ComparisonRequest:
    """What is asked for, as the page of the comparison reads it. Raises DataError and Unprocessable for a version,
    evaluator, level, slicing or slice that is not there."""
    if not has_gold(dataset):
        raise Unprocessable(NO_GOLD)
    version = find_version(dataset, asked["gold_version"])
    question = asked_question(dataset, asked)
    check_question(question, table_of(dataset, version))
    query = {
        "evaluator": question.evaluators or (),
        "level": question.level,
        "by": question.slicing,
        "slice": question.slices,
        "figure": question.figure,
        "pairs": "all" if question.family == EVERY_PAIR else "",
        "since": asked["since"].isoformat() if asked["since"] else "",
    }
    comparison = comparison_asked(dataset, version, QueryDict(urlencode(query, doseq=True)))
    if comparison.gone:
        raise Unprocessable(f"Not there: {', '.join(comparison.gone)}.")
    return comparison


def describe(request: Request, pk: int) -> dict[str, Any]:
    share = SharedComparison.objects.listed().get(pk=pk)
    return PublicLinkSerializer(share, context={"request": request}).data
