"""The pages of verification samples: drawing, rating one by one, results once all ratings are in."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.models import Dataset, Rating, Role, Sample, SampleItem
from annotate.samples.draw import SampleError, draw_sample, population
from annotate.samples.forms import DrawForm, RateForm
from annotate.samples.rate import FullError, RatingError, is_complete, items_for, last_rated, next_item, rate
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
    role = role_in(request.user, found.dataset) or ""
    item = last_rated(found, request.user) if "last" in request.GET else next_item(found, request.user, role)
    return _item_page(request, found, item)


def _rate(request: MemberRequest, found: Sample) -> HttpResponse:
    role = role_in(request.user, found.dataset) or ""
    key = request.POST.get("item", "")
    item = items_for(found, role).shown().filter(pk=key).first() if key.isdecimal() else None
    if item is None:
        raise Http404("No such item.")
    form = RateForm(request.POST)
    trouble = "" if form.is_valid() else "The note is too long, or an answer is neither yes nor no."
    if not trouble:
        try:
            rate(item, request.user, form.word())
        except FullError as error:
            return _item_page(request, found, next_item(found, request.user, role), 409, str(error))
        except RatingError as error:
            trouble = str(error)
    if trouble:
        return _item_page(request, found, item, 422, trouble, form)
    if request.htmx:
        return _item_page(request, found, next_item(found, request.user, role))
    return redirect("sample-rate", found.pk)


def _item_page(
    request: MemberRequest,
    found: Sample,
    item: SampleItem | None,
    status: int = 200,
    trouble: str = "",
    form: RateForm | None = None,
) -> HttpResponse:
    own = Rating.objects.filter(item__sample=found, rater=request.user)
    before = own.filter(item=item).first() if item is not None else None
    said = {name: _said(form, before, name) for name in STATEMENTS}
    context = {
        "sample": found,
        "item": item,
        "subject": item.subject if item is not None else None,
        "questions": [
            (name, *STATEMENTS[name], said[name], *keys)
            for name, keys in zip(QUESTIONS[Kind(found.kind)], KEYS, strict=False)
        ],
        "note": form["note"].value() if form is not None else (before.note if before is not None else ""),
        "done": own.count(),
        "may_change": before is None and last_rated(found, request.user) is not None,
        "trouble": trouble,
    }
    template = "samples/rate.html#item" if request.htmx else "samples/rate.html"
    return _render(request, found.dataset, template, context, status)


def _said(form: RateForm | None, before: Rating | None, name: str) -> str:
    """ "yes", "no" or "": as the form has it that is shown again, else as it was rated before."""
    if form is not None:
        return str(form[name].value() or "")
    word = None if before is None else getattr(before, name)
    return "" if word is None else ("yes" if word else "no")


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
