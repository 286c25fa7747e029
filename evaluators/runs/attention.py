"""Items for researchers: their runs that ended, work that waits for a worker, and figures changed by gold."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

from annotate.attention.background import READERS, counts_waiting, failed
from annotate.attention.items import Datasets, Item, by_dataset, counts, finds_items
from annotate.models import GoldLabel, User
from evaluators.models import ResultsUpload, Run

# Whoever has not looked for so long finds the run on the page of runs.
RECENT = timedelta(days=14)
ENDED = {
    Run.State.FINISHED: "has finished",
    Run.State.FAILED: "failed",
    Run.State.OUT_OF_BUDGET: "ran out of budget",
}

counts_waiting("run", "run__dataset", one="run", many="runs", page="run", of_newest=True)
counts_waiting(
    "comparison", "dataset", one="comparison of evaluators", many="comparisons of evaluators", page="compare"
)
counts_waiting("results_upload", "dataset", one="import of results", many="imports of results", page="bundle")


@finds_items(*READERS)
def ended_runs(person: User, datasets: Datasets) -> Iterator[Item]:
    """Runs that the person started, as they ended within two weeks."""
    at = Coalesce("finished_at", "last_prediction_at", "taken_up_at", "created_at")
    ended = Run.objects.filter(created_by=person, dataset__in=datasets, state__in=ENDED).annotate(at=at)
    recent = ended.filter(at__gte=timezone.now() - RECENT).select_related("evaluator").defer("manifest")
    for run in recent.order_by("at"):
        since = vars(run)["at"]
        why = f": {run.error}" if run.error else "."
        yield Item(
            "run",
            datasets[run.dataset_id],
            f"{run.pk} {run.state} {since.isoformat()}",
            f"The run of {run.evaluator.name} {ENDED[Run.State(run.state)]}{why}",
            reverse("run", args=[run.pk]),
            since,
        )


@counts("results", *READERS, one="import of results failed.", many="imports of results failed.", page="bundle")
def failed_imports(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    return failed(ResultsUpload.objects.all(), "dataset", datasets, "dataset", "file_name")


@counts(
    "gold",
    *READERS,
    one="unit has other gold since runs were measured: figures changed.",
    many="units have other gold since runs were measured: figures changed.",
    page="revisions",
)
def changed_gold(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """Units whose gold got another value within two weeks, after a run had finished."""
    at_unit = Q(segment=OuterRef("segment"), superseded=OuterRef("revision")) & ~Q(value=OuterRef("value"))
    of_segment = Q(Exists(GoldLabel.objects.filter(at_unit, fact__isnull=True)), fact__isnull=True)
    of_fact = Q(Exists(GoldLabel.objects.filter(at_unit, fact=OuterRef("fact"))))
    runs = Run.objects.finished().filter(dataset=OuterRef("segment__response__dataset"))
    # As a list, from which the database begins: not from all responses of the datasets.
    decided = GoldLabel.objects.filter(adjudication__isnull=False, created_at__gte=timezone.now() - RECENT)
    changed = GoldLabel.objects.current().filter(
        of_segment | of_fact,
        Exists(runs.filter(finished_at__lt=OuterRef("created_at"))),
        pk__in=decided.values("pk"),
        segment__response__dataset__in=datasets,
    )
    return by_dataset(changed, "segment__response__dataset", "created_at")
