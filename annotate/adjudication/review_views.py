"""The reviewer's pages: which responses wait for a signature, and one of them to read, settle and sign."""

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.adjudication.decide import DecisionError
from annotate.adjudication.review import review
from annotate.adjudication.sign import decisions_of, has_reviewed, last_note, sign
from annotate.adjudication.whole import settle_edit, settle_removal
from annotate.cases.signatures import levels_of, waiting_for
from annotate.models import Dataset, Response, Role, Segment, Signature, Task, User, ViewReceipt
from annotate.people.receipts import note_receipt
from core.errors import not_saved

PAGE_SIZE = 50
# The forms of a response's page; that of a corrected sentence is known by its primary key.
SIGNATURE, REMOVAL = "signature", "removal"


@never_cache
@require_GET
def review_queue(request: MemberRequest, pk: int) -> HttpResponse:
    """The responses whose annotators are done and that wait for a signature of ?level=."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    levels = [level.value for level in levels_of(dataset)]
    level = request.GET.get("level", "")
    level = level if level in levels else next(iter(levels), "")
    who, number = request.user, request.GET.get("page")
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "review",
        "level": level,
        "levels": [(each, Signature.Level(each).label, _waiting(dataset, each, who).count()) for each in levels],
        "page": Paginator(_waiting(dataset, level, who), PAGE_SIZE).get_page(number) if level else None,
        "signed": Signature.objects.filter(response__dataset=dataset, withdrawn_at__isnull=True).count(),
    }
    return render(request, "adjudication/reviews.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def review_response(request: MemberRequest, pk: int) -> HttpResponse:
    """One response with its labels and its gold; a post signs it and goes on to the next."""
    response = _fetch(request, pk)
    if request.method != "POST":
        return _page(request, response)
    level = request.POST.get("level", "")
    try:
        sign(response.pk, level, request.user, request.POST.get("note", ""), _seen(request))
    except DecisionError as error:
        return _page(request, response, f"Not signed: {error}.", SIGNATURE)
    messages.success(request, f"Signed: {response.index}.")
    return _next(response.dataset, level, request.user)


def _page(request: MemberRequest, response: Response, trouble: str = "", refused: object = None) -> HttpResponse:
    """The response to read, settle and sign. `trouble` is the error of a refused post, `refused` the form that keeps
    the posted text (SIGNATURE, REMOVAL, or the corrected segment's primary key)."""
    if response.task is not None:
        note_receipt(response.task.pk, request.user, ViewReceipt.What.LABELS)
    context = {
        "dataset": response.dataset,
        "role": Role.ADJUDICATOR,
        "tab": "review",
        "review": review(response),
        "own_review": has_reviewed(response.signatures_in_force(), request.user),
        "own_decisions": decisions_of(response, request.user),
        "last_note": last_note(response.dataset, request.user),
        "trouble": trouble,
        "refused": refused,
        "posted": request.POST,
    }
    return render(request, "adjudication/review.html", context, status=422 if trouble else 200)


@require_POST
def edit_settle(request: MemberRequest, pk: int, segment: int) -> HttpResponse:
    """Settle how a sentence reads when it is made right."""
    response = _fetch(request, pk)
    sentence = fetch_in_dataset(
        request.user,
        Segment.objects.filter(response=response).select_related("response__dataset"),
        segment,
        "response.dataset",
        Role.ADJUDICATOR,
    )
    return _settled(
        request,
        response,
        sentence.pk,
        lambda: settle_edit(sentence.pk, request.user, _correction(request), _why(request), _seen(request)),
    )


def _correction(request: MemberRequest) -> str:
    """The corrected sentence: the text written here, else the chosen one. Raises DecisionError for neither."""
    own = request.POST.get("own", "").strip()
    if not own and "text" not in request.POST:
        raise DecisionError("choose a correction, or write one")
    return own or request.POST["text"]


@require_POST
def removal_settle(request: MemberRequest, pk: int) -> HttpResponse:
    """Keep the response in the dataset, or take it out."""
    response = _fetch(request, pk)
    keep = request.POST.get("keep") != "no"
    return _settled(
        request,
        response,
        REMOVAL,
        lambda: settle_removal(response, request.user, keep, _why(request), _seen(request)),
    )


def _settled(request: MemberRequest, response: Response, form: object, settle: Callable[[], object]) -> HttpResponse:
    try:
        settle()
    except DecisionError as error:
        return _page(request, response, not_saved(error), form)
    messages.success(request, "Saved. Earlier signatures were withdrawn.")
    return redirect("review-response", response.pk)


def _why(request: MemberRequest) -> str:
    return request.POST.get("why", "")


def _seen(request: MemberRequest) -> str:
    """The decisions at the time the page was drawn. A post without them is refused."""
    return request.POST.get("seen", "")


def _fetch(request: MemberRequest, pk: int) -> Response:
    visible = Response.objects.visible().select_related("dataset", "prompt", "task").prefetch_related("segments")
    return fetch_in_dataset(request.user, visible, pk, "dataset", Role.ADJUDICATOR)


def _waiting(dataset: Dataset, level: str, who: User) -> QuerySet[Response]:
    """The responses that wait for that signature, and that this person may sign."""
    labelled = Task.objects.filter(dataset=dataset).real().labelled()
    waiting = waiting_for(dataset, level).filter(task__in=labelled.values("pk")).select_related("prompt")
    if level != Signature.Level.SUPER or who.is_superuser:
        return waiting
    own = Signature.objects.filter(level=Signature.Level.REVIEWER, who=who, withdrawn_at__isnull=True)
    return waiting.exclude(pk__in=own.values("response"))


def _next(dataset: Dataset, level: str, who: User) -> HttpResponse:
    """To the next response that waits for this signature, else back to the queue."""
    following = _waiting(dataset, level, who).first()
    if following is not None:
        return redirect("review-response", following.pk)
    return redirect(f"{reverse('review', args=[dataset.pk])}?level={level}")
