"""Figures: the report, the comparison, the scores of subject models."""

from dataclasses import asdict

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, role_in
from annotate.people.names import names_for
from api.comparison.serializers import (
    ComparisonOptionsSerializer,
    ComparisonProgressSerializer,
    LeaderboardsOptionsSerializer,
    ReportOptionsSerializer,
    SubjectsOptionsSerializer,
)
from api.rest.access import READERS
from api.rest.sent import read_query
from api.rest.views import ApiView
from evaluators.across.board import across_of
from evaluators.comparison.question import PeopleQuestion, asked_question
from evaluators.comparison.ready import ComparisonProgress, comparison_of, people_of
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
        asked = read_query(ReportOptionsSerializer, request)
        version = find_version(dataset, asked["gold_version"])
        if asked["evaluator"]:
            name = version.name if version else None
            return Response(build_report(dataset, name, asked["evaluator"], asked["k"]))
        return Response(report_of(dataset, version, asked["k"]))


class ComparisonView(ApiView):
    @extend_schema(
        operation_id="comparison",
        parameters=[ComparisonOptionsSerializer],
        responses={200: document("compare"), 202: ComparisonProgressSerializer},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Evaluators in slices of a level, every pair of them, and their ranks. 202: a worker computes the figures; ask
        again after `Retry-After` seconds, with the `since` of the answer."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        asked = read_query(ComparisonOptionsSerializer, request)
        version = find_version(dataset, asked["gold_version"])
        question = asked_question(dataset, asked)
        names = names_for(role_in(self.request.user, dataset), dataset)
        # Both are asked for at once, so that the worker computes the second while a program waits for the first.
        figures = comparison_of(dataset, version, question, asked["since"])
        of_people = PeopleQuestion(question.level, question.evaluators)
        people = people_of(dataset, version, of_people, names, asked["since"])
        if isinstance(figures, ComparisonProgress):
            return _in_progress(figures)
        if isinstance(people, ComparisonProgress):
            return _in_progress(people)
        return Response({**figures, "people": people})


def _in_progress(progress: ComparisonProgress) -> Response:
    state = "failed" if progress.error else "computing"
    answer = ComparisonProgressSerializer({"state": state, **asdict(progress)}).data
    return Response(answer, status=202, headers={"Retry-After": str(SECONDS_BEFORE_NEXT)})


class LeaderboardsView(ApiView):
    @extend_schema(
        operation_id="leaderboards", parameters=[LeaderboardsOptionsSerializer], responses=document("compare_datasets")
    )
    def get(self, request: Request) -> Response:
        """Evaluators over several datasets: their average, its interval, and their ranks."""
        asked = read_query(LeaderboardsOptionsSerializer, request)
        datasets = [fetch_dataset(self.request.user, pk, *READERS) for pk in dict.fromkeys(asked["dataset"])]
        return Response(across_of(datasets, asked["figure"]))


class SubjectsView(ApiView):
    @extend_schema(
        operation_id="subjects", parameters=[SubjectsOptionsSerializer], responses=document("score_subjects")
    )
    def get(self, request: Request, pk: int) -> Response:
        """The FActScores of subject models that evaluators estimate, without labels."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        asked = read_query(SubjectsOptionsSerializer, request)
        penalty = asked["penalty_facts"] if asked["length_penalty"] else None
        return Response(describe_dataset(dataset, asked["evaluator"], penalty=penalty, k=asked["k"]))
