"""The tagging page: one mistake after the other, with gold, the evaluator's answer and the evidence it had."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest, role_in
from annotate.corpus.highlight import pieces
from annotate.models import Dataset, GoldLabel
from core.numbers import read_number
from evaluators.errors.causes import causes_of
from evaluators.errors.forms import TagForm
from evaluators.errors.tag import PLACES_TAKEN, hand_in, tag, tagger_of, take_place, undo
from evaluators.errors.views import fetch_analysis
from evaluators.models import ErrorAnalysis, Mistake, Tagger
from ratings.errors import FullError, RatingError
from ratings.pages import RatingPage


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tag_mistakes(request: MemberRequest, pk: int) -> HttpResponse:
    return TagPage(request, fetch_analysis(request, pk)).respond()


class TagPage(RatingPage[Mistake]):
    """?at= names a place, counted from 1; without it the first mistake without a tag of the person comes.

    A POST tags the mistake at a place (`at`, `cause`), removes the last tag (`undo`) or hands all in (`hand-in`).
    """

    template = "errors/tag.html"
    form_class = TagForm
    key = "at"
    missing = "There is no such place in the sample."

    def __init__(self, request: MemberRequest, analysis: ErrorAnalysis) -> None:
        super().__init__(request, analysis)
        self.dataset: Dataset = analysis.run.dataset
        self.tagger = tagger_of(analysis, request.user)

    def respond(self) -> HttpResponse:
        try:
            return self._respond() or super().respond()
        except RatingError as error:
            messages.error(self.request, str(error))
            return redirect("error-analysis", self.sample.pk)

    def _respond(self) -> HttpResponse | None:
        """The answer where the request neither reads nor tags a mistake, else None. Raises RatingError."""
        if self.request.method == "POST":
            self.tagger = take_place(self.sample, self.rater)
            if "undo" in self.request.POST:
                return redirect(self._address(undo(self.tagger)))
            if "hand-in" in self.request.POST:
                hand_in(self.tagger)
                return redirect("error-analysis", self.sample.pk)
        elif self.tagger is None and self.sample.taggers.count() >= Tagger.PLACES:
            raise FullError(PLACES_TAKEN)
        elif self.tagger is not None and self.tagger.handed_in_at is not None:
            return redirect("error-analysis", self.sample.pk)
        return None

    def fetch_item(self, key: str) -> Mistake:
        place = read_number(key)
        mistake = None if place is None else self.items().filter(position=place - 1).first()
        return super().fetch_item("" if mistake is None else str(mistake.pk))

    def requested_item(self) -> Mistake | None:
        return self.fetch_item(self.request.GET["at"]) if "at" in self.request.GET else None

    def next_item(self) -> Mistake | None:
        return self._next_after(-1)

    def last_item(self) -> None:
        return None

    def next_address(self, item: Mistake) -> str:
        return self._address(self._next_after(item.position))

    def form(self) -> TagForm:
        return TagForm(self.dataset, self.request.POST)

    def write(self, item: Mistake, form: TagForm) -> None:
        tag(take_place(self.sample, self.rater), item, **form.checked())

    def context(self, item: Mistake | None) -> dict[str, Any]:
        context = {
            "dataset": self.dataset,
            "role": role_in(self.rater, self.dataset),
            "tab": "errors",
            "analysis": self.sample,
            "tagger": self.tagger,
            "left": self.sample.size - self.done(),
            "causes": [(str(cause.pk), cause) for cause in causes_of(self.dataset)],
        }
        return context if item is None else {**context, **self._of_mistake(item)}

    def _of_mistake(self, mistake: Mistake) -> dict[str, Any]:
        """`gold` is the label at the revision of the draw, None where it was of a whole sentence and is removed since;
        `calls` hold the evaluator's requests and its raw answers."""
        response = mistake.segment.response
        of_unit = {"segment": mistake.segment, "fact": mistake.fact}
        gold = GoldLabel.objects.at(self.sample.revision).filter(**of_unit)
        prediction = self.sample.run.predictions.filter(**of_unit).prefetch_related("calls").first()
        return {
            "response": response,
            "pieces": pieces(response.text, list(response.segments.all())),
            "references": response.references.all(),
            "gold": gold.select_related("adjudication").prefetch_related("references").first(),
            "prediction": prediction,
            "calls": prediction.calls.all() if prediction else [],
            "before": mistake.position or None,
            "after": mistake.position + 2 if mistake.position + 1 < self.sample.size else None,
        }

    def _next_after(self, position: int) -> Mistake | None:
        """The first mistake after the position without a tag of the person, else the first before it."""
        lacking = self.items().order_by("position").exclude(pk__in=self.ratings().values("item"))
        return lacking.filter(position__gt=position).first() or lacking.first()

    def _address(self, mistake: Mistake | None) -> str:
        path: str = self.request.path
        return path if mistake is None else f"{path}?at={mistake.position + 1}"
