"""The figures of a comparison, its people, and the report of the leaderboard, as soon as they are there."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from annotate.models import AtomicFact, Dataset, GoldVersion, Label, Segment
from annotate.people.names import Names
from core.caching import CACHE_SECONDS, cached, memory
from evaluators.comparison.comparison_job import PEOPLE, REPORT, ComparisonJob
from evaluators.comparison.documents import ComparisonFigures, Report
from evaluators.comparison.figures import compare
from evaluators.comparison.people import PeopleFigures, describe_people, name_annotators
from evaluators.comparison.question import ComparisonQuestion, PeopleQuestion, key_of, people_key_of, runs_of
from evaluators.comparison.report import report_at, report_key, report_of
from evaluators.models import Comparison, Run
from jobs.enqueue import enqueue
from jobs.models import JobItemQuerySet, is_worker_alive
from stats.f1_at_k import KChoice

# So many predictions are compared while a page waits (30 runs over FELM are 133,000); more by a worker. Beside people
# their labels count too.
AT_ONCE = 250_000
# Whoever waits for the figures reads first why they failed; who asks later asks for another attempt.
RETRY_AFTER = timedelta(seconds=10)


@dataclass(frozen=True)
class ComparisonProgress:
    """Figures that a worker computes. step: the current one, "" before it began; of `steps` so many are `done`.

    since: when they were asked for; who asks again with it gets them, also where gold or labels change meanwhile.
    worker_alive: whether a worker serves its queue; error: why it failed, "" if it has not.
    """

    since: datetime
    step: str
    done: int
    steps: int
    worker_alive: bool
    error: str


def comparison_of(
    dataset: Dataset, version: GoldVersion | None, question: ComparisonQuestion, since: datetime | None = None
) -> ComparisonFigures | ComparisonProgress:
    """The figures of the question (evaluators/comparison/documents.py), or their progress.

    Kept under a name of all that they are made of: the question, gold, each run and the annotators' labels. A small
    comparison is computed at once; a large one by a worker, from the first request on, and again where it failed more
    than RETRY_AFTER ago.
    since: figures that were asked for then or later do too: while people label, what they are made of changes sooner
    than a large comparison is computed.
    DataError: an evaluator, level, slicing, slice or figure that is not there.
    """
    key = key_of(dataset, version, question)
    if count_predictions(dataset, question.evaluators) > AT_ONCE:
        answer: ComparisonFigures | ComparisonProgress = _of_a_worker(dataset, version, asdict(question), key, since)
        return answer
    return cached(key, lambda: compare(dataset, version, question))


def people_of(
    dataset: Dataset,
    version: GoldVersion | None,
    question: PeopleQuestion,
    names: Names,
    since: datetime | None = None,
) -> PeopleFigures | ComparisonProgress:
    """People beside evaluators (evaluators/comparison/people.py), or their progress; kept and computed as a comparison.

    names: of the annotators. since: as of a comparison.
    DataError: an evaluator or a level that is not there.
    """
    key = people_key_of(dataset, version, question)
    labels = Label.objects.of(dataset).real().count()
    if count_predictions(dataset, question.evaluators) + labels <= AT_ONCE:
        return name_annotators(cached(key, lambda: describe_people(dataset, version, question)), names)
    people = _of_a_worker(dataset, version, {PEOPLE: asdict(question)}, key, since)
    return people if isinstance(people, ComparisonProgress) else name_annotators(people, names)


def leaderboard_of(
    dataset: Dataset, version: GoldVersion | None, k: KChoice = None, since: datetime | None = None
) -> Report | ComparisonProgress:
    """The report of all evaluators (evaluators/comparison/report.py), or its progress: as a comparison of all of them,
    a small one is computed at once, and a large one by a worker. k: of F1@K. since: as of a comparison."""
    key = report_key(dataset, version)
    everybody = 1 + Run.objects.finished().filter(dataset=dataset, edits=False).count()
    if memory.get(key) is None and count_units(dataset) * everybody > AT_ONCE:
        report = _of_a_worker(dataset, version, REPORT, key, since)
        if isinstance(report, ComparisonProgress):
            return report
        if since:
            return report_at(dataset, version, k, report)
    return report_of(dataset, version, k)


def count_predictions(dataset: Dataset, evaluators: Collection[str] | None) -> int:
    """The largest possible number: one of each run at each of the dataset's units, and the baselines as a run.

    evaluators: names, None for all.
    """
    return count_units(dataset) * (1 + len(runs_of(dataset, evaluators)))


def count_units(dataset: Dataset) -> int:
    """The greater of its numbers of segments and of facts."""
    return max(
        Segment.objects.filter(response__dataset=dataset).count(),
        AtomicFact.objects.for_labelling().filter(segment__response__dataset=dataset).count(),
    )


def _of_a_worker(
    dataset: Dataset, version: GoldVersion | None, question: dict[str, Any], key: str, since: datetime | None
) -> Any:
    row, is_new = _row_of(dataset, version, question, key, since)
    if is_new:
        stale = timezone.now() - timedelta(seconds=CACHE_SECONDS)
        Comparison.objects.filter(dataset=dataset, created_at__lt=stale).delete()
        enqueue(row)
    elif row.state == Comparison.State.FAILED and _of_an_old_failure(row.pk).retry():
        row.refresh_from_db()
        enqueue(row)
    return row.figures or ComparisonProgress(
        since or row.created_at, row.step, row.done, row.steps, is_worker_alive(ComparisonJob.queue), _error(row)
    )


def _row_of(
    dataset: Dataset, version: GoldVersion | None, question: dict[str, Any], key: str, since: datetime | None
) -> tuple[Comparison, bool]:
    """The row that answers, and whether it is new: the first one since then; else that of the key, or one that nobody
    has begun, which will be of a later state; else a new one."""
    alike = Comparison.objects.filter(dataset=dataset, version=version, question=question).order_by("created_at")
    row = (
        (alike.filter(created_at__gte=since).first() if since else None)
        or Comparison.objects.filter(key=key).first()
        or alike.filter(state=Comparison.State.WAITING).first()
    )
    if row:
        return row, False
    fields = {"dataset": dataset, "version": version, "question": question}
    return Comparison.objects.get_or_create(key=key, defaults=fields)


def _of_an_old_failure(pk: int) -> JobItemQuerySet[Comparison]:
    return Comparison.objects.failed().filter(pk=pk, settled_at__lt=timezone.now() - RETRY_AFTER)


def _error(row: Comparison) -> str:
    return row.error if row.state == Comparison.State.FAILED else ""
