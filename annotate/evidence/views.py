"""The evidence panel of annotators and reviewers, and the page of the dataset's knowledge source."""

from collections.abc import Iterable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotate.access import (
    MemberRequest,
    admit_superuser,
    fetch_dataset,
    fetch_in_dataset,
    fetch_own_assignment,
    role_in,
)
from annotate.evidence.find import find, whole
from annotate.evidence.forms import DocumentsForm
from annotate.evidence.precedents import judged_unit, precedents
from annotate.evidence.source import choose_source, documents_of, may_extend, share_source, sizes, sources_to_choose
from annotate.evidence.tokenizers import NAMES
from annotate.evidence.uploads import receive, try_again, uploads_of
from annotate.models import Dataset, Response, Role, ViewReceipt
from annotate.people.receipts import note_receipt
from core.errors import DataError
from core.uploads import takes_uploads
from jobs.progress import is_not_picked_up
from knowledge.models import KnowledgeSource

# Titles on a page of the source's list.
PAGE_SIZE = 50


@require_GET
def evidence(request: MemberRequest, key: str) -> HttpResponse:
    """Passages for ?q= beside one's own task: for HTMX the results, else a page of them."""
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    responses = own.task.responses.visible().select_related("prompt").prefetch_related("references")
    return _results(request, own.task.dataset, responses, reverse("assignment", args=[key]))


@require_GET
def response_evidence(request: MemberRequest, pk: int) -> HttpResponse:
    """The same for who reviews a response."""
    responses = Response.objects.visible().select_related("dataset", "prompt")
    response = fetch_in_dataset(request.user, responses, pk, "dataset", Role.ADJUDICATOR, Role.RESEARCHER)
    return _results(request, response.dataset, [response], reverse("response", args=[pk]))


def _results(request: MemberRequest, dataset: Dataset, responses: Iterable[Response], back: str) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "query": query,
        "findings": find(dataset, responses, query),
        "back": back,
        "in_panel": bool(request.htmx),
    }
    return render(request, _template(request, "evidence/search.html", "results"), context)


@require_GET
def evidence_precedents(request: MemberRequest, key: str) -> HttpResponse:
    """Decisions on units like ?unit= (the page's key), once one's own judgement of it is saved."""
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    unit = judged_unit(own, request.GET.get("unit", ""))
    rows = precedents(own, unit) if unit else []
    if rows:
        note_receipt(own.task_id, request.user, ViewReceipt.What.PRECEDENTS)
    context = {"dataset": own.task.dataset, "role": Role.ANNOTATOR, "tab": "label", "back": key}
    context |= {"unit": unit, "precedents": rows}
    return render(request, _template(request, "evidence/precedents.html", "precedents"), context)


@require_GET
def document(request: MemberRequest, pk: int, document: int) -> HttpResponse:
    """A whole document of the dataset's knowledge source, its passages anchored, the words of ?q= marked."""
    dataset = fetch_dataset(request.user, pk)
    page = get_object_or_404(documents_of(dataset), pk=document)
    query = request.GET.get("q", "").strip()
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "knowledge",
        "document": page,
        "query": query,
        "findings": whole(page, query),
    }
    return render(request, _template(request, "evidence/document.html", "whole"), context)


@require_GET
def knowledge(request: MemberRequest, pk: int) -> HttpResponse:
    """The dataset's knowledge source, or the way to get one. For HTMX the results of ?q= in it."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR, Role.RESEARCHER)
    if request.htmx:
        context = {"dataset": dataset, **_findings(request, dataset)}
        return render(request, "evidence/knowledge.html#found", context)
    return _source_page(request, dataset)


@require_POST
def knowledge_choose(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    try:
        source = choose_source(dataset, request.POST["source"])
    except (KeyError, KnowledgeSource.DoesNotExist):
        messages.error(request, "Not changed: there is no such source.")
        return _source_page(request, dataset, status=422)
    messages.success(request, f"This dataset is judged by {source or 'the texts that come with its responses'} now.")
    return redirect("knowledge", pk)


@require_POST
@takes_uploads
def knowledge_upload(request: MemberRequest, pk: int) -> HttpResponse:
    """Documents of a file into a source: a worker takes them in, and the page tells how far it is."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = DocumentsForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            receive(request.user, dataset, form.sent())
        except DataError as error:
            form.add_error("file", str(error))
        else:
            return redirect("knowledge", pk)
    return _source_page(request, dataset, form, status=422)


@require_POST
def knowledge_share(request: MemberRequest, pk: int) -> HttpResponse:
    """Share the dataset's source with every dataset: for administrators of the site."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR, Role.RESEARCHER)
    admit_superuser(request.user)
    if dataset.knowledge_source is None or not may_extend(dataset, dataset.knowledge_source.name):
        raise Http404("The dataset has no source of its own.")
    share_source(dataset.knowledge_source)
    messages.success(request, f"Every dataset can read {dataset.knowledge_source} now, and no page adds to it.")
    return redirect("knowledge", pk)


def knowledge_uploads(request: MemberRequest, pk: int) -> HttpResponse:
    """The progress of the latest files, polled by HTMX. POST enqueues again those that nobody works on."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    if request.method == "POST":
        try_again(dataset)
    if request.method == "POST" or not request.htmx:
        return redirect("knowledge", pk)
    answer = render(request, "evidence/knowledge.html#uploads", {"dataset": dataset, **_uploads(dataset)})
    if all(upload.is_settled for upload in uploads_of(dataset)):
        # The page then shows what came in.
        answer["HX-Refresh"] = "true"
    return answer


def _uploads(dataset: Dataset) -> dict[str, object]:
    uploads = uploads_of(dataset)
    return {
        "uploads": uploads,
        "working": any(not upload.is_settled for upload in uploads),
        "not_picked_up": any(is_not_picked_up(upload) for upload in uploads),
    }


def _source_page(
    request: MemberRequest, dataset: Dataset, form: DocumentsForm | None = None, status: int = 200
) -> HttpResponse:
    source = dataset.knowledge_source
    documents = documents_of(dataset).defer("text").order_by("title_key", "pk")
    extends = source is not None and may_extend(dataset, source.name)
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "knowledge",
        "source": source,
        "sizes": sizes(source) if source else {},
        "sources": sources_to_choose(dataset),
        "page": Paginator(documents, PAGE_SIZE).get_page(request.GET.get("page")),
        "tokenizer": NAMES.get(source.tokenizer, source.tokenizer) if source else "",
        **_findings(request, dataset),
        **_uploads(dataset),
        "extends": extends,
        "form": form or DocumentsForm(initial={"name": source.name if source and extends else dataset.name}),
    }
    return render(request, "evidence/knowledge.html", context, status=status)


def _findings(request: MemberRequest, dataset: Dataset) -> dict[str, object]:
    query = request.GET.get("q", "").strip()
    return {"query": query, "findings": find(dataset, [], query) if dataset.knowledge_source and query else []}


def _template(request: MemberRequest, page: str, part: str) -> str:
    return f"{page}#{part}" if request.htmx else page
