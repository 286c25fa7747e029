"""The page of reference lists: the facts that a complete answer to each prompt states."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.text import Truncator
from django.views.decorators.http import require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.corpus.reference_facts import ImportedLists, import_reference_facts, listed_prompts, reference_rows
from annotate.models import Dataset, Role
from annotate.prompts.forms import ReferenceListsForm
from annotate.prompts.uploaded import saved
from annotate.prompts.views import READERS
from core.downloads import download
from core.errors import DataError
from core.json_lines import json_line
from core.uploads import takes_uploads

PER_PAGE = 25
MOST_NAMED, LONGEST_NAMED = 10, 60  # of replaced lists in a message; characters of each name


@require_safe
def reference_lists(request: MemberRequest, pk: int) -> HttpResponse:
    return _page(request, fetch_dataset(request.user, pk, *READERS), ReferenceListsForm())


@require_POST
@takes_uploads
def reference_lists_import(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = ReferenceListsForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            with saved(form.cleaned_data["file"]) as path:
                imported = import_reference_facts(dataset, path, form.cleaned_data["replace"])
        except DataError as error:
            form.add_error("file", f"{str(error).removesuffix('.')}. Nothing of the file was kept.")
        else:
            messages.success(request, _in_words(imported))
            return redirect("reference-lists", pk)
    return _page(request, dataset, form, 422)


@require_safe
def reference_lists_file(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """The lists as JSON lines, which the page takes in again."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    lines = (f"{json_line(row)}\n" for row in reference_rows(dataset))
    return download(lines, f"reference-lists-{dataset.pk}.jsonl", "application/x-ndjson; charset=utf-8")


def _in_words(imported: ImportedLists) -> str:
    words = f"{imported.created} prompts got a list, {imported.unchanged} had the same one already."
    if not imported.replaced:
        return words
    named = [Truncator(name).chars(LONGEST_NAMED) for name in imported.replaced[:MOST_NAMED]]
    more = len(imported.replaced) - len(named)
    return f"{words} Replaced: the lists of {', '.join(named)}{f' and {more:,} more' if more else ''}."


def _page(request: MemberRequest, dataset: Dataset, form: ReferenceListsForm, status: int = 200) -> HttpResponse:
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "reference-lists",
        "page": Paginator(listed_prompts(dataset), PER_PAGE).get_page(request.GET.get("page")),
        "prompts": dataset.prompts.count(),
        "form": form,
    }
    return render(request, "prompts/reference_lists.html", context, status=status)
