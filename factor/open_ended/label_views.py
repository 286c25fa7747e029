"""The pages on which people label the texts of a model; they hide the model and the pairs that it got right."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Role
from core.numbers import read_number
from factor.models import OpenEndedGeneration, OpenEndedLabel, OpenEndedStudy
from factor.models.open_ended import OF_PAIR, LabelAnswer, OpenEndedGenerationQuerySet
from factor.open_ended.forms import OpenEndedLabelForm
from factor.open_ended.label import before, label, labelled_by, left_for, next_text, texts_of
from factor.open_ended.page import fetch_study, read_pair
from ratings.pages import RatingPage

PER_PAGE = 25
HELP = {
    LabelAnswer.TRUE: "The text states the fact.",
    LabelAnswer.FALSE: "The text contradicts the fact.",
    LabelAnswer.NEUTRAL: "The text does neither.",
}


@require_safe
def open_ended_work(request: MemberRequest, pk: int) -> HttpResponse:
    """The studies of the dataset that have texts to label."""
    dataset = fetch_dataset(request.user, pk)
    studies = OpenEndedStudy.objects.filter(scoring__benchmark__dataset=dataset).select_related("scoring__benchmark")
    page = Paginator(studies, PER_PAGE).get_page(request.GET.get("page"))
    done, left = labelled_by(request.user, list(page)), left_for(request.user, list(page))
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "open-ended",
        "page": page,
        "studies": [(study, done.get(study.pk, 0), left.get(study.pk, 0)) for study in page],
    }
    return render(request, "factor/open_ended_work.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_ended_label(request: MemberRequest, pk: int) -> HttpResponse:
    return LabelPage(request, fetch_study(request, pk, *Role.values)).respond()


class LabelPage(RatingPage[OpenEndedGeneration]):
    """The texts of a study, which is the page's sample; a text that the person has labelled comes back by its key
    (`?at=`)."""

    template = "factor/open_ended_label.html"
    form_class = OpenEndedLabelForm
    key = "text"
    missing = "No such text."

    def requested_item(self) -> OpenEndedGeneration | None:
        at = read_number(self.request.GET.get("at", ""))
        if at is None:
            return super().requested_item()
        text = self.items().filter(pk=at, ratings__rater=self.rater).first()
        if text is None:
            raise Http404("You have not labelled this text.")
        return text

    def items(self) -> OpenEndedGenerationQuerySet:
        return texts_of(self.sample)

    def next_item(self) -> OpenEndedGeneration | None:
        return next_text(self.sample, self.rater)

    def last_item(self) -> OpenEndedGeneration | None:
        return before(self.sample, self.rater, None)

    def ratings(self) -> QuerySet[OpenEndedLabel]:
        return OpenEndedLabel.objects.filter(item__pair__study=self.sample, rater=self.rater)

    def write(self, item: OpenEndedGeneration, form: OpenEndedLabelForm) -> None:
        label(item, self.rater, **form.label())

    def context(self, item: OpenEndedGeneration | None) -> dict[str, Any]:
        dataset = self.sample.scoring.benchmark.dataset
        role = role_in(self.rater, dataset)
        return {
            "dataset": dataset,
            "role": role,
            "tab": "open-ended" if role == Role.ANNOTATOR else "benchmarks",
            "study": self.sample,
            "reading": None if item is None else read_pair(item.pair),
            "judgements": [(each.value, each.label, words, key) for key, (each, words) in enumerate(HELP.items(), 1)],
            "reasons": [
                (each.value, each.label, key, each in OF_PAIR)
                for key, each in enumerate((LabelAnswer.ILL_FORMATTED, *OF_PAIR), len(HELP) + 1)
            ],
            "left": left_for(self.rater, [self.sample]).get(self.sample.pk, 0),
            "earlier": before(self.sample, self.rater, item),
        }
