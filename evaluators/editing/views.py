"""The pages of editing: editors against corrections, one run with its edits, and samples of edits that people rate."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.judgements.word_diff import DiffPiece, word_diff
from annotate.models import Dataset, Role
from core.downloads import download
from core.errors import not_saved
from evaluators.editing.after import compare_support, edited_responses
from evaluators.editing.draw import draw_sample
from evaluators.editing.export import export_pairs
from evaluators.editing.forms import QUESTIONS, EditDrawForm, EditRatingForm
from evaluators.editing.read import RESPONSES_SHOWN, SHOWN, EditedSentence, items_of, of_rows, rows_of
from evaluators.editing.report import latest_report
from evaluators.editing.results import results_of, settle
from evaluators.methods import EDITORS
from evaluators.models import EditItem, EditSample, Run, RunItem, SentenceEdit
from evaluators.run_page.calls import calls_of, calls_of_edits
from evaluators.run_page.responses import ListedResponse
from evaluators.runs.listing import list_runs
from evaluators.runs.views import VIEWS
from llm.models import Call
from ratings.errors import SettleError
from ratings.pages import RatingPage
from ratings.progress import progress_of, with_counts

READERS = (Role.RESEARCHER, Role.ADJUDICATOR)
EDITS_A_PAGE = 25
RUNS_A_PAGE = 50
LONGEST_KEY = 19  # digits of a primary key
# Figures of the page by name: their titles, and what they say.
COLUMNS = {
    "errloc": ("ErrLoc", "Whether the right words were changed"),
    "editcorr": ("EditCorr", "Whether the right words were added"),
    "simal_chrf": ("SimAl (chrF)", "How much of the way to people's correction was gone"),
    "newly_wrong": ("Wrongly changed", "Share of the right words that were changed"),
    "length_kept": ("Length kept", "Words after, as a share of the words before"),
    "copied": ("Unchanged", "Share of the sentences left as they are"),
}


@dataclass(frozen=True)
class ShownEdit:
    """An edit with its word diff, and that of people's correction; None where there is none. calls: the answers that it
    was read from."""

    sentence: EditedSentence
    diff: list[DiffPiece] | None
    correction: list[DiffPiece] | None
    calls: Sequence[Call]


@require_safe
def editing(request: MemberRequest, pk: int) -> HttpResponse:
    """The dataset's editing runs, and the figures of each editor's last finished one."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    runs = Paginator(list_runs(dataset, edits=True), RUNS_A_PAGE).get_page(request.GET.get("page"))
    others = Dataset.objects.of(request.user, *READERS).filter(scheme=dataset.scheme).exclude(pk=dataset.pk)
    after = _chosen(request, others)
    page = {
        "runs": runs,
        "report": latest_report(dataset),
        "columns": COLUMNS,
        "others": others.distinct().order_by("name"),
        "after": after,
        "support": [_support(each) for each in compare_support(dataset, after)] if after else None,
        "fits": any(dataset.scheme in editor.schemes for editor in EDITORS.values()),
    }
    return _render(request, dataset, "editing/editing.html", page)


def _chosen(request: MemberRequest, datasets: QuerySet[Dataset]) -> Dataset | None:
    """The dataset of edited responses that the form names; None without one."""
    key = request.GET.get("after", "")
    return get_object_or_404(datasets.distinct(), pk=key) if key.isdecimal() and len(key) < LONGEST_KEY else None


def _support(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "figures": [row[name] for name in ("before", "after", "difference")]}


@require_http_methods(["GET", "HEAD", "POST"])
def edits(request: MemberRequest, pk: int) -> HttpResponse:
    """One run: its progress, its edits (or its responses) and its samples; the form draws another sample."""
    run = _fetch_run(request, pk)
    form = EditDrawForm(request.POST if request.method == "POST" else None)
    drawn = form.draw(partial(draw_sample, run, created_by=request.user))
    if drawn is not None:
        messages.success(request, f"{drawn.size} drawn (seed {drawn.seed}); {drawn.raters} people rate each.")
        return redirect("edit-sample", drawn.pk)
    page = {
        "form": form,
        **_listed(request, run),
        "samples": with_counts(run.edit_samples.all(), request.user),
        **VIEWS.progress_context(request, run),
    }
    return _render(request, run.dataset, "editing/edits.html", page, 422 if form.is_bound else 200)


def _listed(request: MemberRequest, run: Run) -> dict[str, Any]:
    """The page of edits, or of responses, that the link asks for."""
    names, number = SHOWN | RESPONSES_SHOWN, request.GET.get("page")
    shown = request.GET.get("show", "") if request.GET.get("show", "") in names else ""
    chosen = {"show": shown, "shown": names, "of_responses": shown in RESPONSES_SHOWN}
    if shown in RESPONSES_SHOWN:
        responses = Paginator(items_of(run, shown), EDITS_A_PAGE).get_page(number)
        return {**chosen, "page": responses, "items": _with_calls(run, list(responses))}
    edited = Paginator(rows_of(run, shown), EDITS_A_PAGE).get_page(number)
    return {**chosen, "page": edited, "edits": _shown(run, list(edited))}


def _with_calls(run: Run, items: Sequence[RunItem]) -> list[ListedResponse]:
    calls = calls_of(run, [item.response_id for item in items])
    return [ListedResponse(item, (), calls=calls.get(item.response_id, ())) for item in items]


@require_safe
def edits_export(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """Sentences before and after, with facts and labels, as JSON lines; with `?responses` whole edited responses."""
    run = _fetch_run(request, pk)
    whole = "responses" in request.GET
    name = f"{'edited' if whole else 'edits'}-{run.pk}.jsonl"
    lines = (f"{line}\n" for line in (edited_responses(run) if whole else export_pairs(run)))
    return download(lines, name, "application/jsonl; charset=utf-8")


@require_safe
def sample(request: MemberRequest, pk: int) -> HttpResponse:
    """The progress of a sample, and its results once all ratings are in."""
    drawn = _fetch_sample(request, pk)
    results = results_of(drawn) if drawn.is_complete() else None
    edits = _shown(drawn.run, [each.item.edit for each in results.rated]) if results else []
    page = {
        "sample": drawn,
        "progress": None if results else progress_of(drawn, lambda person: person.get_username()),
        "may_rate": drawn.next_item(request.user) is not None,
        "results": results,
        "rated": list(zip(results.rated, edits, strict=True)) if results else [],
    }
    return _render(request, drawn.run.dataset, "editing/sample.html", page)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rate_edits(request: MemberRequest, pk: int) -> HttpResponse:
    return EditPage(request, _fetch_sample(request, pk)).respond()


class EditPage(RatingPage[EditItem]):
    """The editor is not named: raters see the sentence, its edit and the facts."""

    template = "editing/rate.html"
    form_class = EditRatingForm
    questions = QUESTIONS
    missing = "No such edit in this sample."

    def context(self, item: EditItem | None) -> dict[str, Any]:
        dataset = self.sample.run.dataset
        page = {"dataset": dataset, "role": role_in(self.rater, dataset), "tab": "editing"}
        return page if item is None else page | {"edit": _show(of_rows(self.sample.run, [item.edit])[0])}


@require_POST
def settle_edit(request: MemberRequest, pk: int, item: int) -> HttpResponse:
    """Accept or reject an edit on which its raters differ."""
    drawn = _fetch_sample(request, pk, Role.ADJUDICATOR)
    divided = get_object_or_404(EditItem.objects.select_related("sample"), pk=item, sample=drawn)
    try:
        if request.POST.get("accepted") not in ("yes", "no"):
            raise SettleError("Choose whether the edit is accepted.")
        settle(divided, request.POST["accepted"] == "yes", request.POST.get("why", ""), request.user)
    except SettleError as error:
        messages.error(request, not_saved(error))
    return redirect("edit-sample", pk)


def _shown(run: Run, rows: Sequence[SentenceEdit]) -> list[ShownEdit]:
    calls = calls_of_edits([row.pk for row in rows])
    return [_show(each, calls.get(each.edit_id, ())) for each in of_rows(run, rows)]


def _show(sentence: EditedSentence, calls: Sequence[Call] = ()) -> ShownEdit:
    return ShownEdit(
        sentence,
        None if sentence.edit is None else word_diff(sentence.text, sentence.edit),
        None if sentence.correction is None else word_diff(sentence.text, sentence.correction),
        calls,
    )


def _fetch_run(request: MemberRequest, pk: int) -> Run:
    runs = Run.objects.filter(edits=True).select_related("dataset", "evaluator", "created_by")
    return fetch_in_dataset(request.user, runs, pk, "dataset", *READERS)


def _fetch_sample(request: MemberRequest, pk: int, *roles: str) -> EditSample:
    samples = EditSample.objects.select_related("run__dataset", "run__evaluator", "created_by")
    return fetch_in_dataset(request.user, samples, pk, "run.dataset", *(roles or READERS))


def _render(
    request: MemberRequest, dataset: Dataset, template: str, page: dict[str, Any], status: int = 200
) -> HttpResponse:
    shared = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "editing"}
    return render(request, template, {**shared, **page}, status=status)
