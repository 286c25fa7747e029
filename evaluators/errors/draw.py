"""Draw a sample of a run's mistakes: simple random, without replacement, repeatable by its seed."""

import numpy as np
from django.db import transaction

from annotate.gold.read import read_gold
from annotate.models import GoldVersion, User
from evaluators.comparison.levels import decide, judged_in_relevant
from evaluators.models import ErrorAnalysis, Run, Tagger
from evaluators.predictions.read import Predictions, read_predictions
from ratings.draw import add_items, check_draw, draw
from stats.arrays import Flags, Ints
from stats.detection import CORRECT, ERROR, Decisions
from stats.gold_table import VALUES, GoldTable


def mistakes(table: GoldTable, predictions: Predictions) -> Ints:
    """The rows of the units, in reading order, at which a decision contradicts gold.

    An output that cannot be read is no decision, so it is no mistake either (docs/statistics.md, Error detection).
    """
    gold, decided = decide(table.units.value), decide(predictions.units)
    return np.flatnonzero(_known(gold) & _known(decided) & (gold != decided) & judged_in_relevant(table))


def _known(decisions: Decisions) -> Flags:
    return np.isin(decisions, (CORRECT, ERROR))


@transaction.atomic
def draw_sample(run: Run, version: GoldVersion | None, size: int, seed: int, created_by: User) -> ErrorAnalysis:
    """Draw `size` of the run's mistakes against a frozen version of gold, or gold in force (None). The same seed over
    the same mistakes draws the same. Raises DrawError."""
    table = read_gold(run.dataset, version.name if version else None)
    predictions = read_predictions(run, table)
    wrong = mistakes(table, predictions)
    check_draw(size, len(wrong), "its mistakes", f"{run.evaluator.name} contradicts gold nowhere")
    analysis = ErrorAnalysis.objects.create(
        run=run,
        version=version,
        revision=version.revision if version else run.dataset.gold_revision,
        size=size,
        population=len(wrong),
        seed=seed,
        created_by=created_by,
        raters=Tagger.PLACES,
    )
    drawn = draw(wrong.tolist(), size, seed)
    add_items(
        analysis,
        [
            {
                "segment_id": int(table.segments.key[table.units.segment[row]]),
                "fact_id": int(table.units.fact[row]) if table.of_facts else None,
                "gold": VALUES[table.units.value[row]],
                "predicted": VALUES[predictions.units[row]],
            }
            for row in drawn
        ],
    )
    return analysis
