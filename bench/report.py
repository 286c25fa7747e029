"""Time of the report over FELM with five evaluators: `python -m bench.report [FILE]`.

The comparison: the same intervals with scikit-learn's F1 computed anew in every resample, the plain way to do it, for
one evaluator, one level and a twentieth of the resamples, scaled up.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
PUBLISHED = CHECKOUT.parent / "shared" / "data" / "felm" / "all.jsonl"
EVALUATORS = 5
SHARE = 20


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else PUBLISHED
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings")
        import django

        django.setup()
        from django.core.management import call_command

        from annotate.corpus.importing import import_file
        from annotate.models import Dataset
        from evaluators.comparison.report import build_report

        call_command("migrate", verbosity=0)
        import_file(source, "felm", "felm")
        dataset = Dataset.objects.get()
        add_evaluators(dataset)
        began = time.perf_counter()
        report = build_report(dataset)
        ours = time.perf_counter() - began
        figures = sum(2 * len(evaluator["results"]) for evaluator in report["evaluators"])
        one = time_plainly(dataset)
        print(f"report of {len(report['evaluators'])} evaluators, {figures} intervals: {ours:.2f} s")
        print(f"one interval the plain way: {one:.2f} s, ratio {one / ours:.1f} to the whole report")


def add_evaluators(dataset) -> None:
    from annotate.models import Segment
    from evaluators.models import Evaluator, Prediction, Run
    from stats.baselines import random_value

    segments = list(Segment.objects.filter(response__dataset=dataset))
    for number in range(EVALUATORS):
        evaluator = Evaluator.objects.create(name=f"drawn {number}", method="imported")
        run = Run.objects.create(evaluator=evaluator, dataset=dataset, state="finished")
        Prediction.objects.bulk_create(
            Prediction(run=run, segment=segment, value=random_value(number, str(segment.pk), 0, None))
            for segment in segments
        )


def time_plainly(dataset) -> float:
    """Seconds for one interval of one evaluator at segment level."""
    import numpy as np
    from sklearn.metrics import f1_score

    from annotate.gold.read import read_gold
    from stats.bootstrap import RESAMPLES

    table = read_gold(dataset)
    gold = table.units.value != 0
    predicted = np.random.default_rng(1).random(len(gold)) < 0.5
    clusters = [np.flatnonzero(table.prompt_of_unit == prompt) for prompt in range(len(table.strata))]
    generator = np.random.default_rng(2)
    began = time.perf_counter()
    for _ in range(RESAMPLES // SHARE):
        drawn = np.concatenate([clusters[place] for place in generator.integers(0, len(clusters), len(clusters))])
        f1_score(gold[drawn], predicted[drawn])
    return (time.perf_counter() - began) * SHARE


if __name__ == "__main__":
    main()
