"""Labelling candidates one by one, without sight of what the filters say of them."""

from functools import partial

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest, fetch_in_dataset, role_in
from annotate.one_by_one import posted_item, said, take_word
from factor.models import ThresholdItem, ThresholdSample
from factor.thresholds.forms import LabelForm
from factor.thresholds.label import label, last_labelled, next_item
from factor.validation.reading import Reading, read_for

# name, words, help, keys for yes and no
QUESTIONS = (
    (
        "contradictory",
        "It contradicts the original",
        "If the original is true in this passage, it says something false. Look nothing up.",
        *("1", "2"),
    ),
    (
        "sound",
        "It is fluent and consistent with itself",
        "It is grammatical, reads well after the text before it, and could be true by itself.",
        *("3", "4"),
    ),
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def threshold_label(request: MemberRequest, pk: int) -> HttpResponse:
    """The next candidate, or the one that the person labelled last to change it (`?last`); HTMX swaps only that."""
    samples = ThresholdSample.objects.select_related("build__benchmark__dataset")
    found = fetch_in_dataset(request.user, samples, pk, "build.benchmark.dataset")
    if request.method == "POST":
        return _label(request, found)
    if "last" in request.GET:
        return _item_page(request, found, last_labelled(found, request.user))
    return _next_page(request, found)


def _label(request: MemberRequest, found: ThresholdSample) -> HttpResponse:
    items = ThresholdItem.objects.filter(sample=found).shown()
    item, form = posted_item(request, items, "There is no such candidate in this sample."), LabelForm(request.POST)
    return take_word(
        request,
        lambda: label(item, request.user, form.said()),
        again=partial(_item_page, request, found, item, form),
        following=partial(_next_page, request, found),
    )


def _next_page(request: MemberRequest, found: ThresholdSample, status: int = 200, trouble: str = "") -> HttpResponse:
    return _item_page(request, found, next_item(found, request.user), None, status, trouble)


def _item_page(
    request: MemberRequest,
    found: ThresholdSample,
    item: ThresholdItem | None,
    form: LabelForm | None = None,
    status: int = 200,
    trouble: str = "",
) -> HttpResponse:
    benchmark = found.build.benchmark
    context = {
        "dataset": benchmark.dataset,
        "role": role_in(request.user, benchmark.dataset),
        "tab": "benchmarks",
        "benchmark": benchmark,
        "sample": found,
        "item": item,
        "reading": None if item is None else _reading(item),
        "questions": [
            {"name": name, "words": words, "help": help_, "yes": yes, "no": no, "said": said(form, item, name)}
            for name, words, help_, yes, no in QUESTIONS
        ],
        "done": found.items.labelled().count(),
        "may_change": (item is None or item.labelled_at is None) and last_labelled(found, request.user) is not None,
        "trouble": trouble,
    }
    template = "factor/threshold_label.html#item" if request.htmx else "factor/threshold_label.html"
    return render(request, template, context, status=status)


def _reading(item: ThresholdItem) -> Reading:
    of = item.candidate.item
    return read_for(of.prefix, of.sentence, item.candidate.text)
