"""The pages of verification samples: drawing, rating one by one, results once all ratings are in."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.models import Dataset, Role, Sample, SampleItem, SecondLookItem
from annotate.people.names import Names, names_for
from annotate.samples.draw import draw_sample, population
from annotate.samples.forms import QUESTIONS, SampleDrawForm, SampleRatingForm
from annotate.samples.results import doubted, export_lines, figures_of, rated_items
from ratings.forms import Question
from ratings.models import RatingItemQuerySet
from ratings.pages import RatingPage, download_ratings
from ratings.progress import progress_of, with_counts

Kind = Sample.Kind


@require_http_methods(["GET", "HEAD", "POST"])
def samples(request: MemberRequest, pk: int) -> HttpResponse:
    """Every sample of the dataset; adjudicators draw another."""
    dataset = fetch_dataset(request.user, pk, *([Role.ADJUDICATOR] if request.method == "POST" else []))
    form = SampleDrawForm(request.POST if request.method == "POST" else None, initial={"kind": Kind.RELIABILITY})
    drawn = form.draw(partial(draw_sample, dataset, created_by=request.user))
    if drawn is not None:
        messages.success(request, f"{drawn.size} drawn (seed {drawn.seed}); {drawn.raters} people rate each.")
        return redirect("sample", drawn.pk)
    listed = with_counts(dataset.samples.select_related("created_by"), request.user)
    sizes = [f"{Kind(kind).label}: {population(dataset, kind).count():,} to draw from." for kind in Kind.values]
    form.fields["kind"].help_text = f"{' '.join(sizes)} What was removed from the dataset is left out."
    context = {"samples": [(sample, sample.size * sample.raters) for sample in listed], "form": form}
    return _render(request, dataset, "samples/samples.html", context, 422 if form.is_bound else 200)


@require_GET
def sample(request: MemberRequest, pk: int) -> HttpResponse:
    """The progress of a sample, and its figures once all ratings are in. Annotators only rate."""
    sample = _fetch(request, pk, Role.ADJUDICATOR, Role.RESEARCHER)
    complete, names = sample.is_complete(), _names(request, sample)
    items = rated_items(sample) if complete else []
    context = {
        "sample": sample,
        "progress": None if complete else progress_of(sample, names.of),
        "figures": figures_of(sample, items) if complete else [],
        "doubted": doubted(sample, items),
        "may_rate": SamplePage(request, sample).next_item() is not None,
    }
    return _render(request, sample.dataset, "samples/sample.html", context)


@require_GET
def sample_export(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """Every rating as CSV, once all are in."""
    sample = _fetch(request, pk, Role.ADJUDICATOR, Role.RESEARCHER)
    lines = export_lines(rated_items(sample), _names(request, sample))
    return download_ratings(sample.is_complete(), lines, f"sample-{sample.pk}")


def _names(request: MemberRequest, sample: Sample) -> Names:
    return names_for(role_in(request.user, sample.dataset), sample.dataset)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sample_rate(request: MemberRequest, pk: int) -> HttpResponse:
    return SamplePage(request, _fetch(request, pk)).respond()


def items_for(sample: Sample, role: str) -> RatingItemQuerySet[SampleItem]:
    """The items that people of this role may rate.

    An annotator gets only responses that are settled or in no task. A reference may come from gold, and must not
    influence labels that the annotator still gives, or a second look that is still open.
    """
    items = SampleItem.objects.filter(sample=sample)
    return items if role != Role.ANNOTATOR else for_annotators(items)


def for_annotators(items: RatingItemQuerySet[SampleItem]) -> RatingItemQuerySet[SampleItem]:
    """Those of the items that annotators may rate."""
    for response in ("reference__response", "response"):
        open_now = {f"{response}__task__isnull": False, f"{response}__task__closed_at__isnull": True}
        items = items.exclude(**open_now)
    of_gold = Q(reference__gold__segment__response__task__isnull=False) & Q(
        reference__gold__segment__response__task__closed_at__isnull=True
    )
    looked_at = SecondLookItem.objects.lacking().values("segment")
    return items.exclude(of_gold).exclude(reference__gold__segment__in=looked_at)


class SamplePage(RatingPage[SampleItem]):
    template = "samples/rate.html"
    form_class = SampleRatingForm

    def items(self) -> RatingItemQuerySet[SampleItem]:
        return items_for(self.sample, role_in(self.rater, self.sample.dataset) or "").for_page()

    def next_item(self) -> SampleItem | None:
        return self.items().next_for(self.rater)

    def questions_of(self, item: SampleItem | None) -> list[Question]:
        return QUESTIONS[Kind(self.sample.kind)]

    def context(self, item: SampleItem | None) -> dict[str, Any]:
        subject = None if item is None else item.subject
        return {**_page_of(self.request, self.sample.dataset), "subject": subject}


def _fetch(request: MemberRequest, pk: int, *roles: str) -> Sample:
    samples = Sample.objects.select_related("dataset", "created_by")
    return fetch_in_dataset(request.user, samples, pk, "dataset", *roles)


def _render(
    request: MemberRequest, dataset: Dataset, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    return render(request, template, {**_page_of(request, dataset), **context}, status=status)


def _page_of(request: MemberRequest, dataset: Dataset) -> dict[str, Any]:
    return {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "samples"}
