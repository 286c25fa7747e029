"""The pages of studies: the studies of a benchmark, a new study, the progress of one."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import MemberRequest
from factor.benchmarks.page import fetch_benchmark, page_of
from factor.models import Benchmark, OpenEndedStudy, Scoring
from factor.open_ended.forms import StudyForm
from factor.open_ended.page import fetch_study, page_of_study
from factor.open_ended.progress import FAILURES_SHOWN, progress_of, summaries_of, summary_of
from factor.open_ended.start import start
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.models import JobQuerySet
from jobs.views import JobViews
from llm.price import is_priced

PER_PAGE = 25


@require_http_methods(["GET", "HEAD", "POST"])
def open_ended(request: MemberRequest, pk: int) -> HttpResponse:
    """The studies of a benchmark, the latest first, and the form that starts one."""
    benchmark = fetch_benchmark(request, pk)
    scorings = scorings_to_study(benchmark)
    form = StudyForm(benchmark.dataset, scorings, request.POST if request.method == "POST" else None)
    study = _start(request, form)
    if study is not None:
        return redirect("open-ended-study", study.pk)
    studies = OpenEndedStudy.objects.filter(scoring__benchmark=benchmark)
    page = Paginator(studies.select_related("scoring__model", "created_by"), PER_PAGE).get_page(request.GET.get("page"))
    summaries = summaries_of(list(page))
    context = {
        "page": page,
        "studies": [(study, summaries[study.pk]) for study in page],
        "form": form,
        "may_start": scorings.exists(),
    }
    status = 422 if form.is_bound else 200
    return render(
        request, "factor/open_ended.html", {**page_of(request, benchmark, "open-ended"), **context}, None, status
    )


@require_safe
def open_ended_study(request: MemberRequest, pk: int) -> HttpResponse:
    """One study: the progress of its texts, facts and labels."""
    study = fetch_study(request, pk)
    context = {"summary": summary_of(study), **VIEWS.progress_context(request, study)}
    return render(request, "factor/open_ended_study.html", {**page_of_study(request, study), **context})


def _fetch(request: MemberRequest, pk: int, to_change: bool) -> OpenEndedStudy:
    """Everybody who may read a study may change it."""
    return fetch_study(request, pk)


def scorings_to_study(benchmark: Benchmark) -> JobQuerySet[Scoring]:
    """The finished passes of models over the benchmark, with their prefixes and without retrieval."""
    finished = Scoring.objects.finished().filter(benchmark=benchmark, with_prefix=True, source__isnull=True)
    return finished.select_related("model__endpoint", "benchmark")


def _start(request: MemberRequest, form: StudyForm) -> OpenEndedStudy | None:
    if not form.is_valid():
        return None
    scoring, endpoint, reached_as = (form.cleaned_data[name] for name in ("scoring", "endpoint", "reached_as"))
    try:
        study = start(scoring, endpoint, reached_as, form.design, request.user, form.limits())
    except StartError as error:
        form.add_error(None, str(error))
        return None
    enqueue(study)
    return study


def _progress(request: MemberRequest, study: OpenEndedStudy) -> dict[str, Any]:
    return {
        "progress": progress_of(study),
        "failures": study.items.failed().select_related("pair")[:FAILURES_SHOWN],
        "priced": is_priced(study.endpoint, study.reached_as),
    }


VIEWS = JobViews("open-ended-study", "factor/open_ended_progress.html", _fetch, _progress)
