"""Benchmarks with their examples, and scorings: list, start, follow, stop, results."""

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_in_dataset
from annotate.evidence.source import sources_of
from annotate.models import User
from api.benchmarks.serializers import (
    BenchmarkSerializer,
    ExampleFilterSerializer,
    ExampleSerializer,
    FactorReportOptionsSerializer,
    NewScoredModelSerializer,
    NewScoringSerializer,
    ScoredModelSerializer,
    ScoringListSerializer,
    ScoringSerializer,
)
from api.comparison.views import document, read_options
from api.jobs.control import LimitsSerializer, enqueue_later, read_limits, resume
from api.models import Scope
from api.rest.idempotency import once
from api.rest.problems import Unprocessable, check_form
from api.rest.views import ApiView, ListView
from factor.benchmarks.examples import ExampleFilter, examples_of
from factor.benchmarks.listing import benchmarks_of
from factor.benchmarks.page import READERS
from factor.models import Benchmark, Example, ScoredModel, Scoring
from factor.results.document import describe_benchmark
from factor.scoring.forms import ScoredModelForm
from factor.scoring.progress import listed, progress_of
from factor.scoring.start import WISHED, ScoringRequest, start


class BenchmarksView(ListView):
    serializer_class = BenchmarkSerializer

    def rows(self) -> QuerySet[Benchmark]:
        return benchmarks_of(fetch_dataset(self.request.user, self.kwargs["pk"], *READERS))

    @extend_schema(operation_id="benchmarks_list", responses=BenchmarkSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The dataset's benchmarks."""
        return super().get(request)


class BenchmarkView(ApiView):
    @extend_schema(operation_id="benchmark", responses=BenchmarkSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A benchmark with its sizes."""
        benchmark = fetch_benchmark(self.request.user, pk)
        return Response(BenchmarkSerializer(benchmarks_of(benchmark.dataset).get(pk=pk)).data)


class ExamplesView(ListView):
    serializer_class = ExampleSerializer

    def rows(self) -> QuerySet[Example]:
        benchmark = fetch_benchmark(self.request.user, self.kwargs["pk"])
        asked = read_options(ExampleFilterSerializer, self.request)
        return examples_of(benchmark, ExampleFilter(**asked))

    @extend_schema(
        operation_id="benchmark_examples",
        parameters=[ExampleFilterSerializer],
        responses=ExampleSerializer(many=True),
    )
    def get(self, request: Request, pk: int) -> Response:
        """The examples of a benchmark."""
        return super().get(request)


class ScoredModelsView(ListView):
    serializer_class = ScoredModelSerializer
    write_scope = Scope.EVALUATE

    def rows(self) -> QuerySet[ScoredModel]:
        return fetch_dataset(self.request.user, self.kwargs["pk"], *READERS).scored_models.all()

    @extend_schema(operation_id="scored_models_list", responses=ScoredModelSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The dataset's language models."""
        return super().get(request)

    @once
    @extend_schema(
        operation_id="scored_models_create", request=NewScoredModelSerializer, responses={201: ScoredModelSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add a language model, to be scored on the dataset's benchmarks."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        sent = NewScoredModelSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        form = ScoredModelForm(dataset, sent.validated_data)
        check_form(form)
        location = reverse("api:scored-models", args=[pk])
        return Response(ScoredModelSerializer(form.save()).data, status=201, headers={"Location": location})


class ScoringsView(ListView):
    serializer_class = ScoringListSerializer
    write_scope = Scope.EVALUATE

    def rows(self) -> QuerySet[Scoring]:
        return listed(fetch_benchmark(self.request.user, self.kwargs["pk"]))

    @extend_schema(operation_id="scorings_list", responses=ScoringListSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The scorings of a benchmark."""
        return super().get(request)

    @once
    @extend_schema(operation_id="scorings_create", request=NewScoringSerializer, responses={201: ScoringSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Queue the scoring of a model on the benchmark."""
        benchmark = fetch_benchmark(self.request.user, pk)
        sent = NewScoringSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        options = sent.validated_data
        model, source = _model_named(benchmark, options["model"]), None
        if options["source"] is not None:
            source = sources_of(benchmark.dataset).filter(name=options["source"]).first()
            if source is None:
                raise Unprocessable(f"There is no knowledge source {options['source']!r}.")
        wish = ScoringRequest(**{name: options[name] for name in WISHED} | {"source": source})
        scoring = start(benchmark, model, wish, self.request.user, options["limit"], read_limits(options))
        enqueue_later(scoring)
        location = reverse("api:scoring", args=[scoring.pk])
        return Response(describe(scoring), status=201, headers={"Location": location})


class ScoringView(ApiView):
    @extend_schema(operation_id="scoring", responses=ScoringSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A scoring with its progress."""
        return Response(describe(fetch_scoring(self.request.user, pk)))


class ScoringStopView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(operation_id="scoring_stop", request=None, responses=ScoringSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Stop the scoring; what it has is kept. One that has ended stays as it is."""
        scoring = fetch_scoring(self.request.user, pk)
        scoring.stop()
        return Response(describe(scoring))


class ScoringResumeView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(
        operation_id="scoring_resume",
        request=LimitsSerializer,
        responses={200: ScoringSerializer, 202: ScoringSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Queue what is left, under other limits where they are sent. 200: it is not stopped."""
        scoring = fetch_scoring(self.request.user, pk)
        resumed = resume(scoring, request.data)
        return Response(describe(scoring), status=202 if resumed else 200)


class BenchmarkResultsView(ApiView):
    @extend_schema(
        operation_id="benchmark_results",
        parameters=[FactorReportOptionsSerializer],
        responses=document("factor_report"),
    )
    def get(self, request: Request, pk: int) -> Response:
        """The accuracy of every scoring of the benchmark, compared."""
        benchmark = fetch_benchmark(self.request.user, pk)
        asked = read_options(FactorReportOptionsSerializer, request)
        return Response(describe_benchmark(benchmark, asked["scoring"], asked["rule"]))


def fetch_benchmark(user: User, pk: int) -> Benchmark:
    return fetch_in_dataset(user, Benchmark.objects.select_related("dataset"), pk, "dataset", *READERS)


def fetch_scoring(user: User, pk: int) -> Scoring:
    scorings = Scoring.objects.select_related("benchmark__dataset", "model__endpoint", "source")
    return fetch_in_dataset(user, scorings, pk, "benchmark.dataset", *READERS)


def _model_named(benchmark: Benchmark, name: str) -> ScoredModel:
    known = benchmark.dataset.scored_models.exclude(reached_by=ScoredModel.Reached.ELSEWHERE)
    model = known.select_related("endpoint").filter(name=name).first()
    if model is None:
        raise Unprocessable(f"There is no scored model {name!r}: add one first.")
    return model


def describe(scoring: Scoring) -> dict[str, Any]:
    return ScoringSerializer({"scoring": scoring, "progress": progress_of(scoring)}).data
