"""The raters' pages: what there is to rate, and rating one by one."""

from functools import partial

from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.models import Dataset, Role
from annotate.one_by_one import posted_item, take_word, yes_or_no
from factor.models import CompletionRating, ThresholdSample, Validation, ValidationItem
from factor.validation.forms import WordForm
from factor.validation.outcome import Said
from factor.validation.questions import KINDS, questions_with
from factor.validation.rate import items_left, last_rated, next_item, rate
from factor.validation.reading import read_for
from factor.validation.word import QUESTIONS


@require_safe
def completions_to_rate(request: MemberRequest, pk: int) -> HttpResponse:
    """The samples of the dataset's benchmarks, and what is left of each for this rater."""
    dataset = fetch_dataset(request.user, pk, Role.ANNOTATOR)
    own = Count("items__ratings", filter=Q(items__ratings__rater=request.user))
    samples = Validation.objects.filter(benchmark__dataset=dataset).select_related("benchmark").order_by("-pk")
    rows = [(each, items_left(each, request.user).count()) for each in samples.annotate(own=own)]
    to_label = ThresholdSample.objects.lacking().filter(build__benchmark__dataset=dataset)
    context: dict[str, object] = {"samples": rows, "threshold_samples": to_label.select_related("build__benchmark")}
    return _render(request, dataset, "factor/completions_to_rate.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def validation_rate(request: MemberRequest, pk: int) -> HttpResponse:
    """The rater's next completion, or the one they rated last to change it (`?last`); HTMX swaps only that.

    For annotators alone: the others see on the pages of the benchmark which prompt brought a completion.
    """
    samples = Validation.objects.select_related("benchmark__dataset")
    found = fetch_in_dataset(request.user, samples, pk, "benchmark.dataset", Role.ANNOTATOR)
    if request.method == "POST":
        return _rate(request, found)
    if "last" in request.GET:
        return _item_page(request, found, last_rated(found, request.user))
    return _next_page(request, found)


def _rate(request: MemberRequest, found: Validation) -> HttpResponse:
    items = ValidationItem.objects.filter(validation=found).shown()
    item, form = posted_item(request, items, "No such completion in this sample."), WordForm(request.POST)
    return take_word(
        request,
        lambda: rate(item, request.user, form.word()),
        again=partial(_item_page, request, found, item, form),
        following=partial(_next_page, request, found),
    )


def _next_page(request: MemberRequest, found: Validation, status: int = 200, trouble: str = "") -> HttpResponse:
    return _item_page(request, found, next_item(found, request.user), None, status, trouble)


def _item_page(
    request: MemberRequest,
    found: Validation,
    item: ValidationItem | None,
    form: WordForm | None = None,
    status: int = 200,
    trouble: str = "",
) -> HttpResponse:
    own = CompletionRating.objects.filter(item__validation=found, rater=request.user)
    before = own.filter(item=item).first() if item is not None else None
    said = said_in(form) if form is not None else said_before(before)
    context = {
        "validation": found,
        "item": item,
        "reading": None if item is None else _reading(item),
        "questions": questions_with(said),
        "kinds": KINDS,
        "said": said,
        "done": own.count(),
        "left": items_left(found, request.user).count(),
        "may_change": before is None and last_rated(found, request.user) is not None,
        "trouble": trouble,
    }
    template = "factor/rate.html#item" if request.htmx else "factor/rate.html"
    return _render(request, found.benchmark.dataset, template, context, status)


def _reading(item: ValidationItem) -> object:
    example = item.completion.example
    return read_for(example.prefix, example.completions.get(place=0).text, item.completion.text)


def said_in(form: WordForm) -> dict[str, str]:
    """As the form has it that is shown again."""
    return {name: str(form[name].value() or "") for name in form.fields}


def said_before(verdict: CompletionRating | Said | None) -> dict[str, str]:
    """As the person has it from before; {} where they have not said anything."""
    if verdict is None:
        return {}
    answers = {name: yes_or_no(getattr(verdict, name)) for name in QUESTIONS}
    return {**answers, "error_type": verdict.error_type, "note": verdict.note}


def _render(
    request: MemberRequest, dataset: Dataset, template: str, context: dict[str, object], status: int = 200
) -> HttpResponse:
    shared = {"dataset": dataset, "role": Role.ANNOTATOR, "tab": "completions"}
    return render(request, template, {**shared, **context}, status=status)
