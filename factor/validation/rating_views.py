"""The raters' pages: the samples to rate, and rating one by one."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.models import Role
from factor.models import ThresholdSample, Validation, ValidationItem
from factor.validation.forms import QUESTIONS, TYPE_CHOICES, VerdictForm
from factor.validation.reading import read_for
from ratings.pages import RatingPage
from ratings.progress import with_counts


@require_safe
def completions_to_rate(request: MemberRequest, pk: int) -> HttpResponse:
    """The samples of the dataset's benchmarks, and the number of completions left in each for this rater."""
    dataset = fetch_dataset(request.user, pk, Role.ANNOTATOR)
    samples = Validation.objects.filter(benchmark__dataset=dataset).select_related("benchmark").order_by("-pk")
    rows = [(each, each.items.left_for(request.user).count()) for each in with_counts(samples, request.user)]
    to_label = ThresholdSample.objects.lacking().filter(build__benchmark__dataset=dataset)
    context = {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": "completions",
        "samples": rows,
        "threshold_samples": to_label.select_related("build__benchmark"),
    }
    return render(request, "factor/completions_to_rate.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def validation_rate(request: MemberRequest, pk: int) -> HttpResponse:
    """For annotators only: on the benchmark's pages the other roles see the prompt that brought a completion."""
    samples = Validation.objects.select_related("benchmark__dataset")
    return ValidationPage(
        request, fetch_in_dataset(request.user, samples, pk, "benchmark.dataset", Role.ANNOTATOR)
    ).respond()


class ValidationPage(RatingPage[ValidationItem]):
    template = "factor/rate.html"
    form_class = VerdictForm
    questions = QUESTIONS
    missing = "No such completion in this sample."

    def context(self, item: ValidationItem | None) -> dict[str, Any]:
        return {
            "dataset": self.sample.benchmark.dataset,
            "role": Role.ANNOTATOR,
            "tab": "completions",
            "left": self.sample.items.left_for(self.rater).count(),
            "reading": None if item is None else _reading(item),
            "type_choices": TYPE_CHOICES,
        }


def _reading(item: ValidationItem) -> object:
    example = item.completion.example
    return read_for(example.prefix, example.completions.get(place=0).text, item.completion.text)
