"""Figures: the report, the comparison, the scores of subject models."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from annotate.access import fetch_dataset
from api.comparison.serializers import (
    ComparisonOptionsSerializer,
    ComparisonProgressSerializer,
    ReportOptionsSerializer,
    SubjectsOptionsSerializer,
)
from api.evaluators.views import READERS
from api.rest.views import ApiView
from evaluators.comparison.people import people_of
from evaluators.comparison.question import question_of
from evaluators.comparison.ready import ComparisonProgress, comparison_of
from evaluators.comparison.report import build_report, report_of
from evaluators.comparison.study import find_version
from evaluators.subjects.describe import describe_dataset

SECONDS_BEFORE_NEXT = 2


def document(command: str) -> OpenApiResponse:
    return OpenApiResponse(OpenApiTypes.OBJECT, f"The document of the command `{command} --json` (docs/commands.md).")


class ReportView(ApiView):
    @extend_schema(operation_id="report", parameters=[ReportOptionsSerializer], responses=document("report"))
    def get(self, request: Request, pk: int) -> Response:
        """Every metric of each evaluator's last finished run, against gold."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        asked = read_options(ReportOptionsSerializer, request)
        version = find_version(dataset, asked["gold_version"])
        if asked["evaluator"]:
            return Response(build_report(dataset, version.name if version else None, asked["evaluator"]))
        return Response(report_of(dataset, version))


class ComparisonView(ApiView):
    @extend_schema(
        operation_id="comparison",
        parameters=[ComparisonOptionsSerializer],
        responses={200: document("compare"), 202: ComparisonProgressSerializer},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Evaluators in slices of a level, every pair of them, and their ranks. 202: a worker computes the figures; ask
        again after `Retry-After` seconds."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        asked = read_options(ComparisonOptionsSerializer, request)
        version = find_version(dataset, asked["gold_version"])
        question = question_of(
            dataset,
            level=asked["level"],
            slicing=asked["by"],
            evaluators=asked["evaluator"],
            slices=asked["slice"],
            figure=asked["figure"],
            family=asked["family"],
        )
        figures = comparison_of(dataset, version, question)
        if isinstance(figures, ComparisonProgress):
            state = "failed" if figures.error else "computing"
            answer = ComparisonProgressSerializer({"state": state, **asdict(figures)}).data
            return Response(answer, status=202, headers={"Retry-After": str(SECONDS_BEFORE_NEXT)})
        return Response({**figures, "people": people_of(dataset, version, question.level, question.evaluators)})


class SubjectsView(ApiView):
    @extend_schema(
        operation_id="subjects", parameters=[SubjectsOptionsSerializer], responses=document("score_subjects")
    )
    def get(self, request: Request, pk: int) -> Response:
        """The FActScores of subject models that evaluators estimate, without labels."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        asked = read_options(SubjectsOptionsSerializer, request)
        return Response(describe_dataset(dataset, asked["evaluator"], penalised=asked["length_penalty"]))


def read_options(options: type["Serializer[Any]"], request: Request) -> dict[str, Any]:
    asked = options(data=request.query_params)
    asked.is_valid(raise_exception=True)
    return dict(asked.validated_data)
