"""Draw a sample of a run's mistakes: simple random, without replacement, repeatable by its seed."""

import random

import numpy as np
from django.db import transaction

from annotate.gold.read import read_gold
from annotate.models import GoldVersion, User
from evaluators.comparison.levels import decide, judged_in_relevant
from evaluators.models import ErrorAnalysis, Mistake, Run
from evaluators.predictions.read import Predictions, read_predictions
from stats.arrays import Flags, Ints
from stats.detection import CORRECT, ERROR, Decisions
from stats.gold_table import VALUES, GoldTable


class DrawError(ValueError):
    """The sample cannot be drawn; the message says why. Nothing was written."""


def mistakes(table: GoldTable, said: Predictions) -> Ints:
    """The rows of the units, in reading order, at which a decision contradicts gold.

    See docs/statistics.md, Error detection.

    An output that could not be read decides nothing, so it is no mistake either.
    """
    gold, decided = decide(table.units.value), decide(said.units)
    return np.flatnonzero(_known(gold) & _known(decided) & (gold != decided) & judged_in_relevant(table))


def _known(decisions: Decisions) -> Flags:
    return np.isin(decisions, (CORRECT, ERROR))


@transaction.atomic
def draw_sample(run: Run, version: GoldVersion | None, size: int, seed: int, made_by: User) -> ErrorAnalysis:
    """Draw `size` of the run's mistakes against a frozen version of gold, or gold in force (None). The same seed over
    the same mistakes draws the same. Raises DrawError."""
    table = read_gold(run.dataset, version.name if version else None)
    predictions = read_predictions(run, table)
    wrong = mistakes(table, predictions)
    if not len(wrong):
        raise DrawError(f"{run.evaluator.name} contradicts gold nowhere.")
    if not 1 <= size <= len(wrong):
        raise DrawError(f"Draw 1 to {len(wrong):,} of its mistakes, not {size:,}.")
    analysis = ErrorAnalysis.objects.create(
        run=run,
        version=version,
        revision=version.revision if version else run.dataset.gold_revision,
        size=size,
        population=len(wrong),
        seed=seed,
        made_by=made_by,
    )
    drawn = random.Random(seed).sample(wrong.tolist(), size)  # noqa: S311 - repeatable on purpose, no secret
    Mistake.objects.bulk_create(
        [
            Mistake(
                analysis=analysis,
                position=place,
                segment_id=int(table.segments.key[table.units.segment[row]]),
                fact_id=int(table.units.fact[row]) if table.of_facts else None,
                gold=VALUES[table.units.value[row]],
                said=VALUES[predictions.units[row]],
            )
            for place, row in enumerate(drawn)
        ],
        batch_size=500,
    )
    return analysis
