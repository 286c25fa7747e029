"""Time of the comparison: 30 runs over FELM, and a million predictions: `python -m bench.comparison [FELM.jsonl]`.

The yardstick: the difference of two evaluators' F1 with its interval, computed anew in every resample with
scikit-learn, the plain way, for one pair and a twentieth of the resamples, scaled up.
"""

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
PUBLISHED = CHECKOUT.parent / "shared" / "data" / "felm" / "all.jsonl"
RUNS, LARGE_RUNS = 30, 10
LARGE_RESPONSES, SEGMENTS = 20_000, 5
SHARE = 20


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else PUBLISHED
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings", ALLOWED_HOSTS="testserver")
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        time_felm(source)
        time_a_million()


def time_felm(source: Path) -> None:
    from annotate.corpus.importing import import_file
    from annotate.models import Dataset
    from core.caching import memory
    from evaluators.comparison.levels import responses_by_level
    from evaluators.comparison.slices import slicings
    from evaluators.comparison.study import table_of
    from evaluators.predictions.read import latest_runs, read_predictions

    import_file(source, "felm", "felm")
    dataset = Dataset.objects.get(name="felm")
    add_runs(dataset, RUNS)
    client = client_for(dataset)
    address = f"/datasets/{dataset.pk}/compare/"
    first = timed(lambda: client.get(address))
    memory.clear()
    cold = timed(lambda: client.get(address))
    warm = timed(lambda: client.get(address))
    print(f"the comparison page, {RUNS} runs over FELM and all their pairs: {cold:.2f} s cold, {warm:.2f} s warm")
    print(f"  as the first page of a process, which has to load its code: {first:.2f} s")
    memory.clear()
    table = table_of(dataset, None)
    reading = timed(lambda: [read_predictions(run, table) for run in latest_runs(dataset)])
    print(f"  of it reading the {RUNS} runs: {reading:.2f} s")
    every = [
        (level, slicing.name)
        for slicing in slicings(table).values()
        for level in responses_by_level(table)
        if level in slicing.of
    ]
    once, again = (timed(lambda: [compute(dataset, *each) for each in every]) for _ in range(2))
    print(f"every level in every slicing, {len(every)} of them: {once:.2f} s, then {again:.2f} s")
    one = time_plainly(dataset)
    print(f"one pair the plain way: {one:.2f} s, ratio {one / cold:.1f} to the whole cold page")


def time_a_million() -> None:
    from annotate.models import Dataset
    from evaluators.comparison.comparison_job import ComparisonJob
    from evaluators.comparison.question import ComparisonQuestion
    from evaluators.comparison.ready import comparison_of
    from evaluators.models import Comparison
    from jobs.work import work_on

    dataset = make_large(Dataset)
    add_runs(dataset, LARGE_RUNS)
    question = ComparisonQuestion("segment", "domain")
    before = peak()
    asking = timed(lambda: comparison_of(dataset, None, question))
    working = timed(lambda: work_on(ComparisonJob(), Comparison.objects.get().pk))
    there = timed(lambda: comparison_of(dataset, None, question))
    assert isinstance(comparison_of(dataset, None, question), dict)
    units = LARGE_RESPONSES * SEGMENTS * LARGE_RUNS
    print(f"{units:,} predictions: progress after {asking:.2f} s, figures after {working:.1f} s, then {there:.2f} s")
    print(f"  memory: {peak():.0f} MB at most, {before:.0f} MB before")


def compute(dataset, level, slicing):
    from evaluators.comparison.question import ComparisonQuestion
    from evaluators.comparison.ready import comparison_of

    return comparison_of(dataset, None, ComparisonQuestion(level, slicing))


def timed(work) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def client_for(dataset):
    from django.test import Client

    from annotate.models import Membership, User

    rhea = User.objects.create(username="rhea")
    Membership.objects.create(user=rhea, dataset=dataset, role="researcher")
    client = Client()
    client.force_login(rhea)
    return client


def add_runs(dataset, runs: int) -> None:
    """Evaluators of different worth; one output in a hundred cannot be parsed."""
    import numpy as np
    from django.db import connection, transaction
    from django.utils import timezone

    from annotate.models import GoldLabel
    from evaluators.models import Evaluator, Prediction, Run

    gold = GoldLabel.objects.of(dataset).values_list("segment_id", "value")
    segments, errors = zip(*((segment, value != "supported") for segment, value in gold), strict=True)
    insert = (
        f"INSERT INTO {Prediction._meta.db_table} (run_id, segment_id, value, score, rationale, unparsed, fallback) "
        "VALUES (%s, %s, %s, %s, '', %s, '')"
    )
    for number in range(runs):
        evaluator = Evaluator.objects.create(name=f"{dataset} {number:02}", method="imported")
        run = Run.objects.create(
            evaluator=evaluator, dataset=dataset, state="finished", last_prediction_at=timezone.now()
        )
        generator = np.random.default_rng(number)
        rates = np.where(errors, 0.3 + 0.02 * (number % 10), 0.05 + 0.03 * (number // 10))
        called, lost = generator.random((2, len(segments))) < np.stack([rates, np.full(len(rates), 0.01)])
        rows = [
            (run.pk, segment, None if gone else "not_supported" if error else "supported", 0.5, bool(gone))
            for segment, error, gone in zip(segments, called, lost, strict=True)
        ]
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(insert, rows)


def make_large(model):
    """Prompts of two domains, an error in every fifth segment."""
    from django.utils import timezone

    from annotate.models import GoldLabel, Import, Prompt, Response, Segment

    dataset = model.objects.create(name="large", scheme="felm")
    brought = Import.objects.create(dataset=dataset, format="felm", finished_at=timezone.now())
    prompts = Prompt.objects.bulk_create(
        Prompt(dataset=dataset, text="?", domain="science" if place % 2 else "math") for place in range(LARGE_RESPONSES)
    )
    responses = Response.objects.bulk_create(
        Response(dataset=dataset, imported=brought, prompt=prompt, index=str(place), position=place, text="five words")
        for place, prompt in enumerate(prompts)
    )
    segments = Segment.objects.bulk_create(
        Segment(response=response, position=place) for response in responses for place in range(SEGMENTS)
    )
    GoldLabel.objects.bulk_create(
        GoldLabel(segment=segment, value="supported" if place % 5 else "not_supported", source="import", revision=1)
        for place, segment in enumerate(segments)
    )
    return dataset


def time_plainly(dataset) -> float:
    """Seconds for the interval of one difference at segment level."""
    import numpy as np
    from sklearn.metrics import f1_score

    from annotate.gold.read import read_gold
    from stats.bootstrap import RESAMPLES

    table = read_gold(dataset)
    gold = table.units.value != 0
    one, other = np.random.default_rng(1).random((2, len(gold))) < 0.5
    clusters = [np.flatnonzero(table.prompt_of_unit == prompt) for prompt in range(len(table.strata))]
    generator = np.random.default_rng(2)
    began = time.perf_counter()
    for _ in range(RESAMPLES // SHARE):
        drawn = np.concatenate([clusters[place] for place in generator.integers(0, len(clusters), len(clusters))])
        f1_score(gold[drawn], one[drawn]) - f1_score(gold[drawn], other[drawn])
    return (time.perf_counter() - began) * SHARE


if __name__ == "__main__":
    main()
