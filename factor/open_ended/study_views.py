"""The pages of studies: those of a benchmark, a new one, how far one is."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import MemberRequest
from annotate.leased.pages import render_progress, resume
from annotate.leased.undertake import stop
from factor.benchmarks.page import fetch_benchmark, page_of
from factor.models import Benchmark, OpenEndedStudy, Scoring
from factor.open_ended.forms import StudyForm
from factor.open_ended.page import fetch_study, page_of_study
from factor.open_ended.progress import FAILURES_SHOWN, progress_of, progress_of_all
from factor.open_ended.queue import knock
from factor.open_ended.start import start
from jobs.errors import StartError
from jobs.forms import LimitsForm
from jobs.models import JobQuerySet, is_worker_alive
from llm.price import price_of

PER_PAGE = 25


@require_http_methods(["GET", "HEAD", "POST"])
def open_ended(request: MemberRequest, pk: int) -> HttpResponse:
    """The studies of a benchmark, the latest first, and the form that begins one."""
    benchmark = fetch_benchmark(request, pk)
    scorings = scorings_to_study(benchmark)
    form = StudyForm(scorings, request.POST if request.method == "POST" else None)
    study = _start(request, form)
    if study is not None:
        return redirect("open-ended-study", study.pk)
    studies = OpenEndedStudy.objects.filter(scoring__benchmark=benchmark)
    page = Paginator(studies.select_related("scoring__model", "created_by"), PER_PAGE).get_page(request.GET.get("page"))
    progress = progress_of_all(list(page))
    context = {
        "page": page,
        "studies": [(study, progress[study.pk]) for study in page],
        "form": form,
        "may_start": scorings.exists(),
    }
    status = 422 if form.is_bound else 200
    return render(
        request, "factor/open_ended.html", {**page_of(request, benchmark, "open-ended"), **context}, None, status
    )


@require_safe
def open_ended_study(request: MemberRequest, pk: int) -> HttpResponse:
    """One study: how far its texts, facts and labels are."""
    study = fetch_study(request, pk)
    return render(request, "factor/open_ended_study.html", {**page_of_study(request, study), **_progress(study)})


@require_safe
def open_ended_progress(request: MemberRequest, pk: int) -> HttpResponse:
    """The part that is asked for again and again; the whole page once there is no more to come."""
    study = fetch_study(request, pk)
    if not request.htmx:
        return redirect("open-ended-study", pk)
    context = {**page_of_study(request, study), **_progress(study)}
    return render_progress(request, study, "factor/open_ended_study.html", context)


@require_POST
def open_ended_stop(request: MemberRequest, pk: int) -> HttpResponse:
    stop(fetch_study(request, pk))
    return redirect("open-ended-study", pk)


@require_POST
def open_ended_resume(request: MemberRequest, pk: int) -> HttpResponse:
    """Go on with what is left, and ask once more what failed, under the limits given or its own."""
    resume(request, fetch_study(request, pk), knock)
    return redirect("open-ended-study", pk)


def scorings_to_study(benchmark: Benchmark) -> JobQuerySet[Scoring]:
    """The finished passes of models over the benchmark, with their prefixes and without retrieval."""
    finished = Scoring.objects.finished().filter(benchmark=benchmark, with_prefix=True, source__isnull=True)
    return finished.select_related("model__endpoint", "benchmark")


def _start(request: MemberRequest, form: StudyForm) -> OpenEndedStudy | None:
    if not form.is_valid():
        return None
    given = form.cleaned_data
    try:
        study = start(
            given["scoring"], given["endpoint"], given["reached_as"], form.design, request.user, form.limits()
        )
    except StartError as error:
        form.add_error(None, str(error))
        return None
    knock(study.pk)
    return study


def _progress(study: OpenEndedStudy) -> dict[str, Any]:
    progress = progress_of(study)
    return {
        "progress": progress,
        "worker_alive": not progress.unheard or is_worker_alive(),
        "failures": study.items.failed().select_related("pair")[:FAILURES_SHOWN],
        "priced": price_of(study.endpoint, study.reached_as) is not None,
        "limits": LimitsForm.of(study),
    }
