"""A run's predictions as lists show them."""

from collections.abc import Callable

from django.db.models import F

from evaluators.models import Run
from evaluators.models.prediction import PredictionQuerySet

NARROWED: dict[str, Callable[[PredictionQuerySet], PredictionQuerySet]] = {
    "errors": PredictionQuerySet.errors,
    "unparsed": PredictionQuerySet.unparsed,
    "disagreeing": PredictionQuerySet.disagreeing,
}


def predictions_of(run: Run, wanted: str = "") -> PredictionQuerySet:
    """All predictions, or those of a key of NARROWED."""
    predictions: PredictionQuerySet = run.predictions.all()
    return NARROWED[wanted](predictions) if wanted in NARROWED else predictions


def with_address(predictions: PredictionQuerySet) -> PredictionQuerySet:
    """Adds the response's `index`, `segment_position` and `fact_position`, None of a whole segment."""
    return predictions.annotate(
        index=F("segment__response__index"),
        segment_position=F("segment__position"),
        fact_position=F("fact__position"),
    )
