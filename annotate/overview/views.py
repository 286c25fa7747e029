"""The overview pages: one's datasets, a dataset, a response of it."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import MemberRequest, fetch_in_dataset, fetch_with_role, role_in
from annotate.attention.read import items_in, items_of
from annotate.cases.counts import count_cases, count_changed
from annotate.corpus.finding import SORTS, STATES, Search, may_have_details, rows_of
from annotate.corpus.highlight import pieces
from annotate.datasets.create import may_create, may_create_sandbox
from annotate.datasets.setup import setup_steps
from annotate.gold.history import with_gold
from annotate.judgements.units import read_with_passages
from annotate.models import Dataset, Response, Role, ViewReceipt
from annotate.overview.progress import own_progress, progress_of
from annotate.people.receipts import note_receipt

PER_PAGE = 25


@require_GET
def home(request: MemberRequest) -> HttpResponse:
    """One's datasets, each with what to do next."""
    count_changed()
    cards = []
    archived = []
    for dataset in Dataset.objects.of(request.user):
        if dataset.archived_at is not None:
            archived.append(dataset)
            continue
        role = role_in(request.user, dataset)
        card: dict[str, object] = {"dataset": dataset, "role": role}
        if role == Role.ANNOTATOR:
            card["own"] = own_progress(dataset, request.user)
        else:
            card["progress"] = progress_of(dataset)
        cards.append(card)
    context = {
        "cards": cards,
        "archived": archived,
        "items": items_of(request.user),
        "may_create": may_create(request.user),
        "may_create_sandbox": may_create_sandbox(request.user),
    }
    return render(request, "annotate/home.html", context)


@require_GET
def dataset(request: MemberRequest, pk: int) -> HttpResponse:
    """The progress of the dataset and the next step; for annotators their own work and the guidelines."""
    dataset, role = fetch_with_role(request.user, pk)
    context: dict[str, object] = {"dataset": dataset, "role": role, "tab": "overview"}
    search = Search.read(request.GET)
    # Whoever searches looks for responses, and not for what to do next.
    if role == Role.ANNOTATOR or not search.narrowed:
        context["items"] = items_in(dataset, request.user, role)
    if role == Role.ANNOTATOR:
        own = own_progress(dataset, request.user)
        guideline = dataset.guidelines.first()
        return render(request, "annotate/dataset_annotator.html", {**context, "own": own, "guideline": guideline})
    if not search.narrowed:
        context["setup"] = setup_steps(dataset)
    results = _search_results(dataset, search, request.GET.get("page"))
    return render(request, "annotate/dataset.html", {**context, **_overview(dataset), **results})


def _overview(dataset: Dataset) -> dict[str, object]:
    cases = count_cases(dataset)
    return {
        "progress": progress_of(dataset),
        "unanimous": cases.unanimous,
        "disputed": cases.need_a_person,
        "version": dataset.gold_versions.first(),
    }


def _search_results(dataset: Dataset, search: Search, number: str | None) -> dict[str, object]:
    prompts = dataset.prompts.exclude(domain="").order_by("domain")
    subjects = dataset.responses.exclude(subject="").order_by("subject")
    page = Paginator(search.find(dataset), PER_PAGE).get_page(number)
    return {
        "search": search,
        "page": page,
        "rows": rows_of([*page.object_list]),
        "domains": prompts.values_list("domain", flat=True).distinct(),
        "subjects": subjects.values_list("subject", flat=True).distinct(),
        "states": STATES,
        "has_details": may_have_details(dataset),
        "sorts": SORTS,
    }


@require_GET
def response(request: MemberRequest, pk: int) -> HttpResponse:
    """A response with its gold, how that came about, and the labels once its task is closed. Not for annotators."""
    visible = Response.objects.visible().select_related("dataset", "prompt", "task").prefetch_related("segments")
    response = fetch_in_dataset(request.user, visible, pk, "dataset", Role.ADJUDICATOR, Role.RESEARCHER)
    sentences = with_gold(read_with_passages(response.dataset, [response])[0])
    if response.task is not None and any(sentence.is_judged for sentence in sentences):
        note_receipt(response.task.pk, request.user, ViewReceipt.What.LABELS)
    context = {
        "dataset": response.dataset,
        "role": role_in(request.user, response.dataset),
        "tab": "overview",
        "response": response,
        "pieces": pieces(response.text, list(response.segments.all())),
        "sentences": sentences,
        "closed": response.task is not None and response.task.closed_at is not None,
    }
    return render(request, "annotate/response.html", context)
