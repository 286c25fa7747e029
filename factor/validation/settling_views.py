"""The adjudicator's page: what the raters are divided on, one completion after the other."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest
from annotate.models import Role
from factor.benchmarks.page import page_of
from factor.models import Example, FactorErrorType, Validation
from factor.validation.forms import QUESTIONS, TYPE_CHOICES, VerdictForm
from factor.validation.read import Judged, read_judged
from factor.validation.reading import read_for
from factor.validation.settle import disputed, settle
from factor.validation.views import fetch_validation
from ratings.errors import RatingError
from ratings.forms import answered


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def validation_settle(request: MemberRequest, pk: int) -> HttpResponse:
    """The first completion that is still open, or `?item=` to settle that one anew."""
    found = fetch_validation(request, pk, Role.ADJUDICATOR)
    if not found.is_complete():
        raise PermissionDenied("Disagreements are settled once all ratings are in.")
    judged = read_judged(found)
    if request.method == "POST":
        return _settle(request, found, judged)
    if "item" in request.GET:
        return _page(request, found, judged, _chosen(judged, request.GET["item"]))
    return _page(request, found, judged, next(iter(disputed(judged)), None))


def _settle(request: MemberRequest, found: Validation, judged: list[Judged]) -> HttpResponse:
    chosen, form = _chosen(judged, request.POST.get("item", "")), VerdictForm(request.POST)
    try:
        settle(chosen, request.user, form.rating())
    except RatingError as error:
        return _page(request, found, judged, chosen, 422, str(error), form)
    return redirect("validation-settle", found.pk)


def _chosen(judged: list[Judged], key: str) -> Judged:
    chosen = next((each for each in judged if str(each.pk) == key), None)
    if chosen is None or not chosen.of_raters.open:
        raise Http404("The raters are not divided on such a completion of this sample.")
    return chosen


def _page(
    request: MemberRequest,
    found: Validation,
    judged: list[Judged],
    chosen: Judged | None,
    status: int = 200,
    trouble: str = "",
    form: VerdictForm | None = None,
) -> HttpResponse:
    stored = {} if chosen is None or chosen.settled is None else VerdictForm.stored(chosen.settled)
    answers = stored if form is None else form.sent()
    context = {
        **page_of(request, found.benchmark, "validation"),
        "base": "factor/benchmark_base.html",
        "key": "item",
        "validation": found,
        "left": len(disputed(judged)),
        "settled": [each for each in judged if each.settled is not None],
        "item": chosen,
        "types": dict(FactorErrorType.choices),
        "trouble": trouble,
        "type_choices": TYPE_CHOICES,
        "answers": answers,
    }
    if chosen is not None:
        prefix = Example.objects.values_list("prefix", flat=True).get(pk=chosen.example)
        open_questions = [question for question in QUESTIONS if question.name in chosen.of_raters.open]
        context |= {
            "reading": read_for(prefix, chosen.true, chosen.text),
            "questions": answered(open_questions, answers),
            "asks_type": "error_type" in chosen.of_raters.open,
        }
    return render(request, "factor/settle.html", context, status=status)
