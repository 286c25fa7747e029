"""The adjudicator's page: what the raters are divided on, one completion after the other."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest
from annotate.models import Role
from factor.benchmarks.page import page_of
from factor.models import ErrorType, Example, Validation
from factor.validation.forms import WordForm
from factor.validation.questions import KINDS, PROPERTIES, questions_with
from factor.validation.rate import is_complete
from factor.validation.rating_views import said_in
from factor.validation.read import Judged, read_judged, read_one
from factor.validation.reading import read_for
from factor.validation.settle import disputed, settle
from factor.validation.views import fetch_validation
from factor.validation.word import WordError


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def validation_settle(request: MemberRequest, pk: int) -> HttpResponse:
    """The first completion that is still open, or `?item=` to settle that one anew."""
    found = fetch_validation(request, pk, Role.ADJUDICATOR)
    if not is_complete(found):
        raise PermissionDenied("Disagreements are settled once all ratings are in.")
    if request.method == "POST":
        return _settle(request, found)
    key = request.GET.get("item", "")
    if not key:
        return _page(request, found, next(iter(disputed(read_judged(found))), None))
    return _page(request, found, _fetch(found, key))


def _settle(request: MemberRequest, found: Validation) -> HttpResponse:
    judged, form = _fetch(found, request.POST.get("item", "")), WordForm(request.POST)
    try:
        if not form.is_valid():
            raise WordError("The note is too long, or an answer is none of those that can be chosen.")
        settle(judged, request.user, form.word())
    except WordError as error:
        return _page(request, found, judged, 422, str(error), form)
    return redirect("validation-settle", found.pk)


def _fetch(found: Validation, key: str) -> Judged:
    judged = read_one(found, int(key)) if key.isdecimal() else None
    if judged is None:
        raise Http404("No such completion in this sample.")
    return judged


def _page(
    request: MemberRequest,
    found: Validation,
    judged: Judged | None,
    status: int = 200,
    trouble: str = "",
    form: WordForm | None = None,
) -> HttpResponse:
    said = said_in(form) if form is not None else {}
    context = {
        **page_of(request, found.benchmark, "validation"),
        "validation": found,
        "left": len(disputed(read_judged(found))),
        "judged": judged,
        "properties": PROPERTIES,
        "types": dict(ErrorType.choices),
        "said": said,
        "trouble": trouble,
        "kinds": KINDS,
    }
    if judged is not None:
        prefix = Example.objects.values_list("prefix", flat=True).get(pk=judged.example)
        context |= {
            "reading": read_for(prefix, judged.true, judged.text),
            "questions": [each for each in questions_with(said) if each.name in judged.of_raters.open],
            "asks_type": "error_type" in judged.of_raters.open,
        }
    return render(request, "factor/settle.html", context, status=status)
