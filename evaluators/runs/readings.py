"""One and the same answers under each protocol profile: a run beside its readings."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Prefetch, QuerySet, Value
from django.db.models.functions import Coalesce

from evaluators.methods.parameters import profile_title
from evaluators.models import Prediction, Run
from llm.models import Call

UNITS_A_PAGE = 25
UNPARSED = "unparsed"

Address = tuple[int, int | None]


@dataclass(frozen=True)
class ProfileReading:
    """A run as one way of reading. values: units by value, "unparsed" among them. differing: units whose value is not
    that of the run which asked, or that only one of the two judged; None while it is being read. unread: responses that
    it could not read."""

    run: Run
    profile: str
    values: Counter[str]
    differing: int | None
    unread: int

    @property
    def title(self) -> str:
        return profile_title(self.profile, self.run.evaluator.method)


@dataclass(frozen=True)
class Differing:
    """A unit that is not read the same everywhere; predictions: by the profile's title, None where its run has none."""

    predictions: list[tuple[str, Prediction | None]]

    @property
    def unit(self) -> Prediction:
        return next(prediction for _, prediction in self.predictions if prediction is not None)


def readings_of(source_run: Run) -> list[ProfileReading]:
    """The run itself first, then the newest reading under each other profile."""
    runs = {
        run.evaluator.parameters["profile"]: run
        for run in source_run.readings.select_related("evaluator").order_by("pk")
    }
    return [_read(source_run, source_run), *(_read(run, source_run) for run in runs.values())]


def differing_units(runs: Sequence[Run]) -> QuerySet[Prediction, Any]:
    """The addresses that the runs do not all judge the same, in reading order."""
    value = Coalesce("value", Value(UNPARSED))
    return (
        Prediction.objects.filter(run__in=runs)
        .values("segment", "fact")
        .annotate(values=Count(value, distinct=True), judged=Count("pk"))
        .exclude(values=1, judged=len(runs))
        .order_by("segment__response__position", "segment__position", F("fact__position").asc(nulls_first=True))
    )


def page_of_differing(readings: Sequence[ProfileReading], number: str | None) -> tuple[Page[Any], list[Differing]]:
    """One page of the differing units, with the prediction of each run that has ended and its answers."""
    readings = [reading for reading in readings if reading.differing is not None]
    runs = [reading.run for reading in readings]
    page = Paginator(differing_units(runs), UNITS_A_PAGE).get_page(number)
    addresses: list[Address] = [(row["segment"], row["fact"]) for row in page]
    predictions: dict[Address, dict[int, Prediction]] = defaultdict(dict)
    there = Prediction.objects.filter(run__in=runs, segment__in={segment for segment, _ in addresses})
    answers = Prefetch("calls", Call.objects.defer("request"))
    for prediction in there.with_gold().select_related("segment__response", "fact").prefetch_related(answers):
        predictions[prediction.segment_id, prediction.fact_id][prediction.run_id] = prediction
    return page, [
        Differing([(reading.title, predictions[address].get(reading.run.pk)) for reading in readings])
        for address in addresses
    ]


def _read(run: Run, source_run: Run) -> ProfileReading:
    counted = run.predictions.order_by().values_list(Coalesce("value", Value(UNPARSED))).annotate(Count("pk"))
    return ProfileReading(
        run=run,
        profile=run.evaluator.parameters["profile"],
        values=Counter(dict(counted)),
        differing=_count_differing(run, source_run),
        unread=run.items.failed().count(),
    )


def _count_differing(run: Run, source_run: Run) -> int | None:
    if run.is_active:
        return None
    return 0 if run == source_run else differing_units([source_run, run]).count()
