"""A sample's sweeps as plain JSON values."""

from typing import Any

from factor.thresholds.sweeps import Study
from stats.filter_thresholds import ThresholdStep
from stats.proportions import Proportion


def describe(study: Study) -> dict[str, Any]:
    """Shares with their counts and 95 % intervals; null where undefined, and where the rule chooses none."""
    return {
        "labelled": len(study.items),
        "sentences": study.sentences,
        "filters": study.settings.as_json(),
        "sweeps": [
            {
                "name": each.name,
                "n": len(each.samples),
                "unmeasured": each.unmeasured,
                "in_use": each.in_use,
                "chosen": None if each.chosen is None else each.chosen.threshold,
                "steps": [_step(step) for step in each.steps],
            }
            for each in study.sweeps
        ],
        "error_types": [
            {
                "error_type": row.error_type,
                "threshold": row.threshold,
                "dropped": _share(row.dropped),
                "precision": _share(row.precision),
            }
            for row in study.types
        ],
    }


def _step(step: ThresholdStep) -> dict[str, Any]:
    return {
        "threshold": step.threshold,
        "precision": _share(step.precision),
        "dropped": _share(step.dropped),
        "found": _share(step.retained),
        "drops_at_most_35_percent": step.is_allowed,
    }


def _share(share: Proportion) -> dict[str, Any]:
    interval = None if share.interval is None else list(share.interval)
    return {"hits": share.hits, "n": share.n, "value": share.value, "interval": interval}
