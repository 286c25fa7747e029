"""The pages of perplexity: list, start, progress, stop, resume."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.evidence.source import sources_of
from annotate.models import Dataset, Role
from factor.language_models.ready import check_ready
from factor.models import Perplexity, ScoredModel
from factor.perplexity.forms import PerplexityForm
from factor.perplexity.progress import progress_of, summaries_of
from factor.perplexity.start import start
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.models import JobItem
from jobs.views import JobViews
from llm.price import is_priced
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
        fields = form.cleaned_data
        try:
            check_ready(fields["model"], fields["context_length"])
            begun = start(fields["model"], fields["source"], form.wish(), request.user, form.limits())
        except (StartError, NotReadyError) as error:
            form.add_error(None, str(error))
        else:
            enqueue(begun)
            return redirect("perplexity", begun.pk)
    return _list_page(request, dataset, form, 422)


@require_safe
def perplexity(request: MemberRequest, pk: int) -> HttpResponse:
    """One pass: its figures, document by document."""
    model_pass = _fetch(request, pk, False)
    items = model_pass.items.select_related("document").defer("document__text").order_by("document__title", "pk")
    page = Paginator(items, DOCUMENTS_SHOWN).get_page(request.GET.get("page"))
    return render(request, "factor/perplexity.html", {"page": page, **VIEWS.progress_context(request, model_pass)})


def _fetch(request: MemberRequest, pk: int, to_change: bool) -> Perplexity:
    """Every reader of a pass may change it."""
    passes = Perplexity.objects.select_related("model__dataset", "model__endpoint", "source", "created_by")
    return fetch_in_dataset(request.user, passes, pk, "model.dataset", *READERS)


def _progress(request: MemberRequest, perplexity: Perplexity) -> dict[str, Any]:
    dataset, endpoint = perplexity.model.dataset, perplexity.model.endpoint
    return {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "benchmarks",
        "perplexity": perplexity,
        "progress": progress_of(perplexity),
        "failed": JobItem.State.FAILED,
        "priced": endpoint is not None and is_priced(endpoint, perplexity.model.reached_as),
    }


VIEWS = JobViews("perplexity", "factor/perplexity_progress.html", _fetch, _progress)


def _list_page(request: MemberRequest, dataset: Dataset, form: PerplexityForm, status: int = 200) -> HttpResponse:
    passes = Perplexity.objects.filter(model__dataset=dataset).select_related("model", "source")
    page = Paginator(passes, PER_PAGE).get_page(request.GET.get("page"))
    summaries = summaries_of(page.object_list)
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "benchmarks",
        "page": page,
        "passes": [(each, summaries[each.pk]) for each in page.object_list],
        "form": form,
        "has_source": sources_of(dataset).exists(),
        "has_model": dataset.scored_models.exclude(reached_by=ScoredModel.Reached.ELSEWHERE).exists(),
    }
    return render(request, "factor/perplexities.html", context, status=status)
