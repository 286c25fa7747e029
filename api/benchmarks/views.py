"""Benchmarks with their examples, and scorings: list, start, follow, stop, results."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_in_dataset
from annotate.evidence.source import sources_of
from annotate.models import Dataset, Role, User
from annotate.prompts.uploaded import saved
from api.benchmarks.serializers import (
    SCORE_COLUMNS,
    BenchmarkFileSerializer,
    BenchmarkSerializer,
    ExampleFilterSerializer,
    ExampleSerializer,
    FactorReportOptionsSerializer,
    ImportedBenchmarkSerializer,
    NewScoredModelSerializer,
    NewScoringSerializer,
    ScoredModelSerializer,
    ScoreSerializer,
    ScoringListSerializer,
    ScoringSerializer,
)
from api.comparison.views import document
from api.jobs.control import LimitsSerializer, enqueue_later, read_limits, resume
from api.models import Scope
from api.rest.idempotency import once, once_after
from api.rest.pages import OrderedPages
from api.rest.parsers import CsvParser
from api.rest.problems import Unprocessable, check_form
from api.rest.sent import read_body, read_query
from api.rest.streams import StreamedListView
from api.rest.views import ApiView, FileView, ListView
from core.downloads import download
from factor.benchmarks.examples import ExampleFilter, examples_of
from factor.benchmarks.forms import BenchmarkUploadForm
from factor.benchmarks.listing import benchmarks_of
from factor.benchmarks.page import READERS
from factor.csv_format.export import export_benchmark
from factor.csv_format.import_file import ReadBenchmark, read_benchmark, store_benchmark
from factor.models import Benchmark, CompletionScore, Example, ScoredModel, Scoring
from factor.results.document import describe_benchmark
from factor.scoring.forms import ScoredModelForm
from factor.scoring.progress import listed, progress_of
from factor.scoring.start import WISHED, ScoringRequest, start


class BenchmarksView(ListView):
    serializer_class = BenchmarkSerializer
    parser_classes = [MultiPartParser]
    dataset: Dataset

    def rows(self) -> QuerySet[Benchmark]:
        return benchmarks_of(fetch_dataset(self.request.user, self.kwargs["pk"], *READERS))

    @extend_schema(operation_id="benchmarks_list", responses=BenchmarkSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The dataset's benchmarks."""
        return super().get(request)

    @contextmanager
    def read_file(self, request: Request, pk: int) -> Iterator[ReadBenchmark]:
        self.dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        form = BenchmarkUploadForm(self.dataset, request.POST, request.FILES)
        check_form(form)
        with saved(form.cleaned_data["file"]) as path:
            yield read_benchmark(form.cleaned_data["name"], path, form.cleaned_data["source"])

    @once_after(read_file)
    @extend_schema(
        operation_id="benchmarks_import",
        request={"multipart/form-data": BenchmarkFileSerializer},
        responses={201: ImportedBenchmarkSerializer},
    )
    def post(self, request: Request, pk: int, prepared: ReadBenchmark) -> Response:
        """Make a benchmark of a file, all of it or nothing. The same file again changes nothing."""
        imported = store_benchmark(self.dataset, prepared, self.request.user)
        made = self.dataset.benchmarks.get(name=imported.name)
        data = ImportedBenchmarkSerializer({"id": made.pk, **asdict(imported)}).data
        return Response(data, status=201, headers={"Location": reverse("api:benchmark", args=[made.pk])})


class BenchmarkView(ApiView):
    @extend_schema(operation_id="benchmark", responses=BenchmarkSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A benchmark with its sizes."""
        benchmark = fetch_benchmark(self.request.user, pk)
        return Response(BenchmarkSerializer(benchmarks_of(benchmark.dataset).get(pk=pk)).data)


class BenchmarkFileView(FileView):
    @extend_schema(operation_id="benchmark_file", responses={(200, CsvParser.media_type): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The benchmark as CSV in FACTOR's published layout."""
        benchmark = fetch_benchmark(self.request.user, pk)
        return download(export_benchmark(benchmark), f"benchmark-{pk}.csv", CsvParser.media_type)


class ExamplesView(ListView):
    serializer_class = ExampleSerializer
    pagination_class = OrderedPages

    def rows(self) -> QuerySet[Example]:
        benchmark = fetch_benchmark(self.request.user, self.kwargs["pk"])
        asked = read_query(ExampleFilterSerializer, self.request)
        return examples_of(benchmark, ExampleFilter(**asked))

    @extend_schema(
        operation_id="benchmark_examples",
        parameters=[ExampleFilterSerializer],
        responses=ExampleSerializer(many=True),
    )
    def get(self, request: Request, pk: int) -> Response:
        """The examples of a benchmark, filtered and sorted as on the page."""
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
        sent = read_body(NewScoredModelSerializer, request)
        form = ScoredModelForm(dataset, sent)
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
        options = read_body(NewScoringSerializer, request)
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
        resumed = resume(scoring, request)
        return Response(describe(scoring), status=202 if resumed else 200)


class ScoresView(StreamedListView):
    """What a scoring gave each completion."""

    serializer_class = ScoreSerializer
    columns = SCORE_COLUMNS

    def rows(self) -> QuerySet[CompletionScore]:
        scoring = fetch_scoring(self.request.user, self.kwargs["pk"])
        return scoring.scores.select_related("completion__example")

    @extend_schema(operation_id="scores", responses=ScoreSerializer(many=True))
    def get(self, request: Request, pk: int) -> HttpResponseBase:  # type: ignore[override]
        """The scores of completions, with their tokens; examples that failed or wait have none."""
        return super().get(request)


class BenchmarkResultsView(ApiView):
    @extend_schema(
        operation_id="benchmark_results",
        parameters=[FactorReportOptionsSerializer],
        responses=document("factor_report"),
    )
    def get(self, request: Request, pk: int) -> Response:
        """The accuracy of every scoring of the benchmark, compared."""
        benchmark = fetch_benchmark(self.request.user, pk)
        asked = read_query(FactorReportOptionsSerializer, request)
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
