"""The pages of perplexity: what there is, begin, watch, stop, go on."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.leased.pages import render_progress, resume
from annotate.leased.undertake import stop
from annotate.models import Dataset, Role
from annotate.models.leased import Leased
from factor.language_models.ready import check_ready
from factor.models import Perplexity, ScoredModel
from factor.perplexity.forms import PerplexityForm
from factor.perplexity.progress import progress_of, progress_of_all
from factor.perplexity.queue import knock
from factor.perplexity.start import start
from jobs.errors import StartError
from jobs.forms import LimitsForm
from knowledge.models import KnowledgeSource
from llm.weights import NotReadyError

READERS = (Role.ADJUDICATOR, Role.RESEARCHER)
PER_PAGE = 20
DOCUMENTS_SHOWN = 50


@require_safe
def perplexities(request: MemberRequest, pk: int) -> HttpResponse:
    """Every pass of the dataset's models, the last first, and the form that begins another."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    return _list_page(request, dataset, PerplexityForm(dataset))


@require_POST
def perplexity_start(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, *READERS)
    form = PerplexityForm(dataset, request.POST)
    if form.is_valid():
        given = form.cleaned_data
        try:
            check_ready(given["model"], given["context_length"])
            begun = start(given["model"], given["source"], form.wish(), request.user, form.limits())
        except (StartError, NotReadyError) as error:
            form.add_error(None, str(error))
        else:
            knock(begun.pk)
            return redirect("perplexity", begun.pk)
    return _list_page(request, dataset, form, 422)


@require_safe
def perplexity(request: MemberRequest, pk: int) -> HttpResponse:
    """One pass: its figures, and document by document what they are made of."""
    found = _fetch(request, pk)
    items = found.items.select_related("document").defer("document__text").order_by("document__title", "pk")
    page = Paginator(items, DOCUMENTS_SHOWN).get_page(request.GET.get("page"))
    return render(request, "factor/perplexity.html", {"page": page, **_context(request, found)})


@require_safe
def perplexity_progress(request: MemberRequest, pk: int) -> HttpResponse:
    """The part of the page that is asked for again and again; the whole page once there is no more to come."""
    found = _fetch(request, pk)
    if not request.htmx:
        return redirect("perplexity", pk)
    return render_progress(request, found, "factor/perplexity.html", _context(request, found))


@require_POST
def perplexity_stop(request: MemberRequest, pk: int) -> HttpResponse:
    stop(_fetch(request, pk))
    return redirect("perplexity", pk)


@require_POST
def perplexity_resume(request: MemberRequest, pk: int) -> HttpResponse:
    """Go on with what is left, and once more with what failed, under the limits given or its own."""
    resume(request, _fetch(request, pk), knock)
    return redirect("perplexity", pk)


def _fetch(request: MemberRequest, pk: int) -> Perplexity:
    passes = Perplexity.objects.select_related("model__dataset", "source", "created_by")
    return fetch_in_dataset(request.user, passes, pk, "model.dataset", *READERS)


def _context(request: MemberRequest, perplexity: Perplexity) -> dict[str, Any]:
    dataset = perplexity.model.dataset
    return {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "benchmarks",
        "perplexity": perplexity,
        "progress": progress_of(perplexity),
        "failed": Leased.State.FAILED,
        "limits": LimitsForm.of(perplexity),
    }


def _list_page(request: MemberRequest, dataset: Dataset, form: PerplexityForm, status: int = 200) -> HttpResponse:
    passes = Perplexity.objects.filter(model__dataset=dataset).select_related("model", "source")
    page = Paginator(passes, PER_PAGE).get_page(request.GET.get("page"))
    progress = progress_of_all(page.object_list)
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "benchmarks",
        "page": page,
        "passes": [(each, progress[each.pk]) for each in page.object_list],
        "form": form,
        "has_source": KnowledgeSource.objects.visible().exists(),
        "has_model": dataset.scored_models.exclude(reached_by=ScoredModel.Reached.ELSEWHERE).exists(),
    }
    return render(request, "factor/perplexities.html", context, status=status)
