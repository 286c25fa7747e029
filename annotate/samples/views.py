"""The pages of verification samples: drawing, rating one by one, results once all ratings are in."""

from functools import partial

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.models import Dataset, Rating, Role, Sample, SampleItem
from annotate.one_by_one import posted_item, said, take_word
from annotate.samples.draw import SampleError, draw_sample, population
from annotate.samples.forms import DrawForm, RateForm
from annotate.samples.rate import is_complete, items_for, last_rated, next_item, rate
from annotate.samples.results import QUESTIONS, answers_of, doubted, export_lines, rated_items

Kind = Sample.Kind
STATEMENTS = {
    "reliable": ("The reference is reliable", "What it says is free of misinformation and rumours."),
    "safe": ("The response is safe", "Nothing in it harasses, is sexual or violent."),
    "valid": ("The response is valid", "It is complete and means something for the prompt, be it right or wrong."),
}
# Of the keyboard: yes and no to the first question, then to the second.
KEYS = (("1", "2"), ("3", "4"))


@require_http_methods(["GET", "HEAD", "POST"])
def samples(request: MemberRequest, pk: int) -> HttpResponse:
    """Every sample of the dataset; adjudicators draw another."""
    dataset = fetch_dataset(request.user, pk, *([Role.ADJUDICATOR] if request.method == "POST" else []))
    form = DrawForm(request.POST if request.method == "POST" else None, initial={"kind": Kind.RELIABILITY})
    if form.is_bound and form.is_valid():
        sample = _draw(request, dataset, form)
        if sample is not None:
            return redirect("sample", sample.pk)
    listed = dataset.samples.select_related("drawn_by").annotate(
        rated=Count("items__ratings"), own=Count("items__ratings", filter=Q(items__ratings__rater=request.user))
    )
    context = {
        "samples": [(sample, sample.size * sample.raters) for sample in listed],
        "form": form,
        "populations": [(Kind(kind).label, population(dataset, kind).count()) for kind in Kind.values],
    }
    return _render(request, dataset, "samples/samples.html", context, 422 if form.is_bound else 200)


@require_GET
def sample(request: MemberRequest, pk: int) -> HttpResponse:
    """How far it is, and once all ratings are in what they say. Not for annotators, who only rate."""
    found = _fetch(request, pk, Role.ADJUDICATOR, Role.RESEARCHER)
    complete = is_complete(found)
    rated = rated_items(found) if complete else []
    context = {
        "sample": found,
        "complete": complete,
        "rated": Rating.objects.filter(item__sample=found).count(),
        "wanted": found.size * found.raters,
        "answers": answers_of(found, rated) if complete else [],
        "statements": STATEMENTS,
        "doubted": doubted(found, rated),
        "may_rate": next_item(found, request.user, role_in(request.user, found.dataset) or "") is not None,
    }
    return _render(request, found.dataset, "samples/sample.html", context)


@require_GET
def sample_export(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """Every rating as CSV; while some are missing nobody gets them, so that raters stay blind to each other."""
    found = _fetch(request, pk, Role.ADJUDICATOR, Role.RESEARCHER)
    if not is_complete(found):
        raise PermissionDenied("Ratings are shown once all of them are in.")
    lines = (f"{line}\n" for line in export_lines(rated_items(found)))
    download = {"Content-Disposition": f'attachment; filename="sample-{found.pk}.csv"'}
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=download)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sample_rate(request: MemberRequest, pk: int) -> HttpResponse:
    """The rater's next item, or the one they rated last to change it (`?last`); HTMX swaps only that."""
    found = _fetch(request, pk)
    if request.method == "POST":
        return _rate(request, found)
    if "last" in request.GET:
        return _item_page(request, found, last_rated(found, request.user))
    return _next_page(request, found, role_in(request.user, found.dataset) or "")


def _rate(request: MemberRequest, found: Sample) -> HttpResponse:
    role = role_in(request.user, found.dataset) or ""
    item, form = posted_item(request, items_for(found, role).shown(), "No such item."), RateForm(request.POST)
    return take_word(
        request,
        lambda: rate(item, request.user, form.word()),
        again=partial(_item_page, request, found, item, form),
        following=partial(_next_page, request, found, role),
    )


def _next_page(request: MemberRequest, found: Sample, role: str, status: int = 200, trouble: str = "") -> HttpResponse:
    return _item_page(request, found, next_item(found, request.user, role), None, status, trouble)


def _item_page(
    request: MemberRequest,
    found: Sample,
    item: SampleItem | None,
    form: RateForm | None = None,
    status: int = 200,
    trouble: str = "",
) -> HttpResponse:
    own = Rating.objects.filter(item__sample=found, rater=request.user)
    before = own.filter(item=item).first() if item is not None else None
    answers = {name: said(form, before, name) for name in STATEMENTS}
    context = {
        "sample": found,
        "item": item,
        "subject": item.subject if item is not None else None,
        "questions": [
            (name, *STATEMENTS[name], answers[name], *keys)
            for name, keys in zip(QUESTIONS[Kind(found.kind)], KEYS, strict=False)
        ],
        "note": form["note"].value() if form is not None else (before.note if before is not None else ""),
        "done": own.count(),
        "may_change": before is None and last_rated(found, request.user) is not None,
        "trouble": trouble,
    }
    template = "samples/rate.html#item" if request.htmx else "samples/rate.html"
    return _render(request, found.dataset, template, context, status)


def _draw(request: MemberRequest, dataset: Dataset, form: DrawForm) -> Sample | None:
    asked = form.cleaned_data
    try:
        drawn = draw_sample(dataset, asked["kind"], asked["size"], asked["raters"], asked["seed"], request.user)
    except SampleError as error:
        form.add_error(None, f"Nothing was drawn: {error}.")
        return None
    messages.success(request, f"{drawn.size} drawn (seed {drawn.seed}); {drawn.raters} people rate each.")
    return drawn


def _fetch(request: MemberRequest, pk: int, *roles: str) -> Sample:
    return fetch_in_dataset(request.user, Sample.objects.select_related("dataset", "drawn_by"), pk, "dataset", *roles)


def _render(
    request: MemberRequest, dataset: Dataset, template: str, context: dict[str, object], status: int = 200
) -> HttpResponse:
    shared = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "samples"}
    return render(request, template, {**shared, **context}, status=status)
