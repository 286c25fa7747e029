"""Settling: an adjudicator answers the questions on which the raters of a completion are divided."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest
from annotate.models import Role, User
from factor.benchmarks.page import page_of
from factor.models import CompletionRating, CompletionSettlement, FactorErrorType, Validation, ValidationItem
from factor.validation.forms import QUESTIONS, TYPE_CHOICES, VerdictForm
from factor.validation.read import RatedCompletion, read_completions
from factor.validation.reading import read_for
from factor.validation.views import fetch_validation
from ratings import settle as settlements
from ratings.errors import SettleError
from ratings.forms import Question
from ratings.pages import RatingPage


def disputed(completions: list[RatedCompletion]) -> list[RatedCompletion]:
    """The completions with an answer that is still open."""
    return [each for each in completions if each.outcome.open]


@transaction.atomic
def settle(completion: RatedCompletion, adjudicator: User, rating: CompletionRating) -> CompletionSettlement:
    """Write the adjudicator's answers to the open questions, or anew. Answers on which the raters agree stay.

    rating: not saved; its note is the reason. Raises RatingError where an answer is missing, SettleError where the
    raters are not divided.
    """
    if not completion.of_raters.open:
        raise SettleError("The raters agree: nothing to adjudicate.")
    agreed = {name: answer for name, answer in vars(completion.of_raters).items() if answer not in (None, "")}
    whole = CompletionRating(**{**rating.answers(), **agreed})
    if not whole.non_factual:
        whole.error_type = ""
    whole.check_answers(None)
    answers = {name: getattr(whole, name) for name in whole.ANSWERS}
    item = ValidationItem.objects.get(pk=completion.pk)
    settlement: CompletionSettlement = settlements.settle(item, adjudicator, whole.note, **answers)
    return settlement


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def validation_settle(request: MemberRequest, pk: int) -> HttpResponse:
    """The first completion that is still open, or `?item=` to settle that one anew."""
    validation = fetch_validation(request, pk, Role.ADJUDICATOR)
    if not validation.is_complete():
        raise PermissionDenied("Adjudication starts when all ratings are complete.")
    return SettlePage(request, validation).respond()


class SettlePage(RatingPage[ValidationItem]):
    """The completions on which the raters are divided."""

    template = "factor/settle.html"
    form_class = VerdictForm
    base = "factor/benchmark_base.html"
    missing = "The raters agree on this completion."

    def __init__(self, request: MemberRequest, sample: Validation) -> None:
        super().__init__(request, sample)
        self.completions = {each.pk: each for each in read_completions(sample)}

    def items(self) -> QuerySet[ValidationItem]:
        divided = [key for key, completion in self.completions.items() if completion.of_raters.open]
        return ValidationItem.objects.for_page().filter(pk__in=divided)

    def requested_item(self) -> ValidationItem | None:
        return self.fetch_item(self.request.GET["item"]) if "item" in self.request.GET else None

    def next_item(self) -> ValidationItem | None:
        open_ones = self._open()
        return self.items().get(pk=open_ones[0].pk) if open_ones else None

    def last_item(self) -> None:
        return None

    def own_rating(self, item: ValidationItem) -> CompletionSettlement | None:
        return self.completions[item.pk].settlement

    def write(self, item: ValidationItem, form: VerdictForm) -> None:
        settle(self.completions[item.pk], self.rater, form.rating())

    def questions_of(self, item: ValidationItem | None) -> list[Question]:
        if item is None:
            return []
        return [question for question in QUESTIONS if question.name in self.completions[item.pk].of_raters.open]

    def context(self, item: ValidationItem | None) -> dict[str, Any]:
        context = {
            **page_of(self.request, self.sample.benchmark, "validation"),
            "validation": self.sample,
            "left": len(self._open()),
            "settled": [each for each in self.completions.values() if each.settlement is not None],
            "types": dict(FactorErrorType.choices),
            "type_choices": TYPE_CHOICES,
        }
        if item is not None:
            completion = self.completions[item.pk]
            context |= {
                "completion": completion,
                "reading": read_for(item.completion.example.prefix, completion.true, completion.text),
                "asks_type": "error_type" in completion.of_raters.open,
            }
        return context

    def _open(self) -> list[RatedCompletion]:
        return disputed([*self.completions.values()])
