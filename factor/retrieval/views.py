"""The page of the passages that were retrieved while a benchmark was scored."""

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_in_dataset
from factor.benchmarks.page import READERS, page_of
from factor.models import Example, Scoring
from factor.retrieval.retrieved_passages import counts_of, left_out_of, retrieved_examples

PER_PAGE = 5


@require_safe
def scoring_retrieved(request: MemberRequest, pk: int) -> HttpResponse:
    """The passages before each part of each completion, and the excluded documents."""
    scorings = Scoring.objects.select_related("benchmark__dataset", "model", "source", "retrieval_corpus")
    scoring = fetch_in_dataset(request.user, scorings, pk, "benchmark.dataset", *READERS)
    if scoring.source is None:
        raise Http404("This scoring has no retrieval.")
    examples = Example.objects.filter(completions__scores__scoring=scoring, completions__place=0).order_by("position")
    page = Paginator(examples, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        **page_of(request, scoring.benchmark, "scorings"),
        "scoring": scoring,
        "left_out": left_out_of(scoring),
        "counts": counts_of(scoring),
        "page": page,
        "examples": retrieved_examples(scoring, list(page.object_list)),
    }
    return render(request, "factor/scoring_retrieved.html", context)
