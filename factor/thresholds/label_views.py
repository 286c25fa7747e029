"""Labelling candidates one by one, without sight of what the filters say of them."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest, fetch_in_dataset, role_in
from factor.models import ThresholdItem, ThresholdSample
from factor.thresholds.forms import QUESTIONS, ThresholdLabelForm
from factor.validation.reading import CompletionReading, read_for
from ratings.pages import RatingPage


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def threshold_label(request: MemberRequest, pk: int) -> HttpResponse:
    samples = ThresholdSample.objects.select_related("build__benchmark__dataset")
    return ThresholdPage(request, fetch_in_dataset(request.user, samples, pk, "build.benchmark.dataset")).respond()


class ThresholdPage(RatingPage[ThresholdItem]):
    template = "factor/threshold_label.html"
    form_class = ThresholdLabelForm
    questions = QUESTIONS
    missing = "There is no such candidate in this sample."

    def context(self, item: ThresholdItem | None) -> dict[str, Any]:
        benchmark = self.sample.build.benchmark
        return {
            "dataset": benchmark.dataset,
            "role": role_in(self.rater, benchmark.dataset),
            "tab": "benchmarks",
            "benchmark": benchmark,
            "labelled": self.sample.ratings().count(),
            "reading": None if item is None else _reading(item),
        }


def _reading(item: ThresholdItem) -> CompletionReading:
    of = item.candidate.item
    return read_for(of.prefix, of.sentence, item.candidate.text)
