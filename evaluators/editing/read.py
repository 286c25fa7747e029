"""Editors' runs and their edits, read once for figures, pages and files."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, Q, QuerySet

from annotate.models import Dataset, Segment
from core.errors import DataError
from evaluators.methods.base import LabelledFact
from evaluators.models import Run, RunItem, SentenceEdit
from evaluators.runs.editing_cases import Labels, read_corrections, read_labels
from jobs.models import JobItemQuerySet

CHUNK = 500
# The edits of a page or list, by name.
SHOWN = {"": "All", "changed": "Changed", "corrected": "Corrected by people", "unparsed": "Unparsed"}
NOT_EDITED = "not-edited"
# The responses of a run that its page lists in place of edits, by name.
RESPONSES_SHOWN = {"responses": "All responses", NOT_EDITED: "Failed or left out"}
CHANGED, UNCHANGED, TAKEN_OUT, UNPARSED = "changed", "unchanged", "taken_out", "unparsed"
STATES = (CHANGED, UNCHANGED, TAKEN_OUT, UNPARSED)


@dataclass(frozen=True)
class EditedSentence:
    """A sentence that a run edited.

    edit: how it reads now, "" where it was taken out, None where the output could not be parsed. correction: how people
    settled that it reads, None where nobody did. facts: those with a label, by what the run went by. prompt: primary
    key of its response's prompt; stratum: the prompt's frequency class, else its domain.
    """

    edit_id: int
    segment_id: int
    index: str
    subject: str
    prompt: int
    stratum: str
    position: int
    text: str
    edit: str | None
    correction: str | None
    facts: tuple[LabelledFact, ...]

    @property
    def state(self) -> str:
        """One of STATES."""
        if self.edit is None:
            return UNPARSED
        if not self.edit.strip():
            return TAKEN_OUT
        return UNCHANGED if self.edit == self.text else CHANGED


def editing_runs(dataset: Dataset, names: Sequence[str] | None = None) -> list[Run]:
    """The last finished run of each editor, by name. DataError: one of the names has none."""
    runs = Run.objects.finished().filter(dataset=dataset, edits=True).select_related("evaluator").order_by("pk")
    latest = {run.evaluator.name: run for run in runs}
    for name in names or ():
        if name not in latest:
            raise DataError(f"{dataset} has no finished run of an editor {name!r}.")
    return [latest[name] for name in sorted(names if names else latest)]


def read_edits(run: Run) -> list[EditedSentence]:
    """The edits of a run in reading order. Labels are those of its beginning; corrections are those in force."""
    return of_rows(run, list(rows_of(run)))


def rows_of(run: Run, shown: str = "") -> QuerySet[SentenceEdit]:
    """The edits of a run in reading order, for `of_rows`; `shown`: a key of SHOWN."""
    rows = SentenceEdit.objects.filter(run=run).select_related("segment__response__prompt")
    if shown == "changed":
        rows = rows.filter(text__isnull=False).exclude(text=F("segment__text"))
    elif shown == "corrected":
        rows = rows.filter(segment__gold_edits__isnull=False, segment__gold_edits__superseded__isnull=True)
    elif shown == "unparsed":
        rows = rows.filter(text__isnull=True)
    return rows.order_by("segment__response__position", "segment__position", "pk")


def items_of(run: Run, shown: str) -> JobItemQuerySet[RunItem]:
    """The responses of a run in reading order; `shown`: a key of RESPONSES_SHOWN. One is left out where a sentence of
    it is."""
    items = run.items.select_related("response__prompt").order_by("position")
    return items.filter(Q(state=RunItem.State.FAILED) | ~Q(skipped={})) if shown == NOT_EDITED else items


def of_rows(run: Run, rows: Sequence[SentenceEdit]) -> list[EditedSentence]:
    """These edits of the run (with `segment__response__prompt`), in their order."""
    responses = sorted({row.segment.response_id for row in rows})
    facts: dict[int, tuple[LabelledFact, ...]] = {}
    corrections: dict[int, str] = {}
    for start in range(0, len(responses), CHUNK):
        some = responses[start : start + CHUNK]
        facts |= labels_of(run, some).facts
        corrections |= read_corrections(some, run.dataset.gold_revision)
    return [_sentence(row, facts.get(row.segment_id, ()), corrections.get(row.segment_id)) for row in rows]


def labels_of(run: Run, responses: Sequence[int]) -> Labels:
    """What the editor's run goes by: gold as it stood when the run was made, or another run."""
    return read_labels(responses, run.evaluator.parameters["run"], run.manifest["gold"]["revision"])


def _sentence(row: SentenceEdit, facts: tuple[LabelledFact, ...], correction: str | None) -> EditedSentence:
    segment: Segment = row.segment
    response = segment.response
    return EditedSentence(
        edit_id=row.pk,
        segment_id=segment.pk,
        index=response.index,
        subject=response.subject,
        prompt=response.prompt_id,
        stratum=response.prompt.frequency or response.prompt.domain,
        position=segment.position,
        text=segment.text,
        edit=row.text,
        correction=correction,
        facts=facts,
    )
