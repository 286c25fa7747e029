"""The pages of benchmarks: the list of a dataset, and the examples of one."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, Role
from annotate.prompts.uploaded import saved
from audit.models import Action
from audit.record import record
from core.downloads import download
from core.errors import DataError
from core.uploads import takes_uploads
from factor.benchmarks.change import at_work, delete, goes_with, rename
from factor.benchmarks.example_detail import example_detail
from factor.benchmarks.examples import examples_of, facts_of
from factor.benchmarks.forms import BenchmarkUploadForm, DeleteForm, ExamplesForm
from factor.benchmarks.listing import benchmarks_of
from factor.benchmarks.page import READERS, fetch_benchmark, page_of
from factor.csv_format.columns import PUBLISHED_FALSE
from factor.csv_format.export import export_benchmark, unlike_published
from factor.csv_format.import_file import import_benchmark
from factor.models import Benchmark

A_PAGE = 25


@require_safe
def benchmarks(request: MemberRequest, pk: int) -> HttpResponse:
    """Every benchmark of the dataset, and how to get one."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    return _list(request, dataset, BenchmarkUploadForm(dataset))


@require_POST
@takes_uploads
def benchmark_import(request: MemberRequest, pk: int) -> HttpResponse:
    """A file's examples become a benchmark, all of them or none."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = BenchmarkUploadForm(dataset, request.POST, request.FILES)
    if form.is_valid():
        fields = form.cleaned_data
        try:
            with saved(fields["file"]) as path:
                imported = import_benchmark(dataset, fields["name"], path, request.user, fields["source"])
        except DataError as error:
            form.add_error("file", [str(error), "Nothing was stored."])
        else:
            if imported.unchanged:
                messages.info(request, f"{imported.name} already exists with the same content.")
            else:
                messages.success(request, f"{imported.created:,} example{pluralize(imported.created)} imported.")
            return redirect("benchmark", dataset.benchmarks.get(name=imported.name).pk)
    return _list(request, dataset, form, 422)


def _list(request: MemberRequest, dataset: Dataset, form: BenchmarkUploadForm, status: int = 200) -> HttpResponse:
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "benchmarks",
        "page": Paginator(benchmarks_of(dataset), A_PAGE).get_page(request.GET.get("page")),
        "form": form,
    }
    return render(request, "factor/benchmarks.html", context, status=status)


@require_safe
def benchmark(request: MemberRequest, pk: int) -> HttpResponse:
    """The examples of a benchmark."""
    return _examples(request, fetch_benchmark(request, pk))


def _examples(request: MemberRequest, benchmark: Benchmark, trouble: str = "", status: int = 200) -> HttpResponse:
    form = ExamplesForm(request.GET)
    wanted = form.wanted()
    page = Paginator(examples_of(benchmark, wanted), A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "wanted": wanted,
        "page": page,
        "shown": [example_detail(example, near=240) for example in page],
        "facts": facts_of(benchmark),
        "unlike": unlike_published(benchmark),
        "published_false": PUBLISHED_FALSE,
        "trouble": trouble,
    }
    return render(
        request, "factor/benchmark.html", {**page_of(request, benchmark, "examples"), **context}, status=status
    )


@require_safe
def benchmark_export(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """The benchmark as a file of the published layout."""
    benchmark = fetch_benchmark(request, pk)
    name = slugify(benchmark.name) or f"benchmark-{benchmark.pk}"
    return download(export_benchmark(benchmark), f"{name}.csv", "text/csv; charset=utf-8")


@require_POST
def benchmark_rename(request: MemberRequest, pk: int) -> HttpResponse:
    benchmark = fetch_benchmark(request, pk, Role.ADJUDICATOR)
    before = benchmark.name
    try:
        rename(benchmark, request.POST.get("name", "").strip())
    except DataError as error:
        benchmark.name = before
        return _examples(request, benchmark, trouble=str(error), status=422)
    messages.success(request, f"{before} is now called {benchmark.name}.")
    return redirect("benchmark", pk)


@require_http_methods(["GET", "HEAD", "POST"])
def benchmark_delete(request: MemberRequest, pk: int) -> HttpResponse:
    """The objects that are deleted with the benchmark; its name, written out, deletes it."""
    benchmark = fetch_benchmark(request, pk, Role.ADJUDICATOR)
    form = DeleteForm(benchmark.name, request.POST or None)
    if form.is_valid():
        try:
            with transaction.atomic():
                record(request, Action.DELETED, benchmark, detail=str(benchmark.dataset))
                delete(benchmark)
        except DataError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{benchmark.name} is deleted.")
            return redirect("benchmarks", benchmark.dataset_id)
    context = {"form": form, "goes_with": goes_with(benchmark), "at_work": at_work(benchmark)}
    status = 422 if form.is_bound else 200
    return render(
        request, "factor/benchmark_delete.html", {**page_of(request, benchmark, "examples"), **context}, status=status
    )
