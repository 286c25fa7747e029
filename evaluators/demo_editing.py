"""The demo's editing: people's corrections, the two editors that call no model, and samples of edits that people
rate."""

import json
from pathlib import Path

from django.db import transaction

from annotate.adjudication.whole import write_edit
from annotate.models import Adjudication, Dataset, GoldEdit, Segment, User
from evaluators.editing.draw import draw_sample
from evaluators.editing.results import rated_edits, settle
from evaluators.models import EditRating, EditSample, Run
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_to_the_end
from ratings.rate import rate

EDITORS = ("edit-copy", "edit-noise")
SEED = 7
DRAWN = 6
# Answers (accepted, new error) in the order of the sample: the two see one edit differently.
RATED = {
    "rhea": ((False, True), (False, True), (False, True), (False, False), (False, False), (False, True)),
    "dora": ((False, True), (False, True), (False, True), (False, True), (True, False), (False, True)),
}


def make_editing(dataset: Dataset, corrections: Path, adjudicator: str) -> None:
    """People's corrections of sentences with errors, and edits of these by both editors; of the noise one sample is
    rated by two people and settled, another is open. Each part is made where it is missing."""
    dora = User.objects.get(username=adjudicator)
    if not GoldEdit.objects.of(dataset).exists():
        _correct(dataset, corrections, dora)
    for editor in EDITORS:
        if not Run.objects.filter(dataset=dataset, evaluator__name=editor).exists():
            work_to_the_end(RunJob(), create_run(dataset, editor).run.pk)
    run = Run.objects.get(dataset=dataset, evaluator__name=EDITORS[-1])
    if not run.edit_samples.exists():
        _draw(run, dora)


@transaction.atomic
def _draw(run: Run, adjudicator: User) -> None:
    _rate(draw_sample(run, DRAWN, len(RATED), SEED, adjudicator), adjudicator)
    draw_sample(run, DRAWN, len(RATED), SEED + 1, adjudicator)


@transaction.atomic
def _correct(dataset: Dataset, file: Path, who: User) -> None:
    """Rows: {"index", "segment", "text", "why"}; "" takes the sentence out."""
    revision = dataset.next_gold_revision()
    segments = Segment.objects.filter(response__dataset=dataset)
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        segment = segments.get(response__index=row["index"], position=row["segment"])
        decision = Adjudication.objects.create(segment=segment, who=who, why=row["why"])
        write_edit(segment, row["text"], decision, revision)


def _rate(sample: EditSample, adjudicator: User) -> None:
    for name, answers in RATED.items():
        rater = User.objects.get(username=name)
        for item, (accepted, new_error) in zip(sample.items.order_by("position"), answers, strict=True):
            rate(item, rater, EditRating(accepted=accepted, new_error=new_error))
    divided = next(each for each in rated_edits(sample) if each.differs)
    settle(divided.item, False, "The wrong year is still there.", adjudicator)
