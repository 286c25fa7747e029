"""Time of the results page of 20 scorings × 1,036 examples: `python -m bench.factor_report`.

The benchmark is as large as News-FACTOR, all of it made up. The comparison: one interval of one accuracy with the
examples drawn anew and counted in each resample, the plain way to do it.
"""

import os
import random
import tempfile
import time

EXAMPLES, SCORINGS, WORDS, TYPES = 1_036, 20, 25, ("entity", "predicate", "circumstance")
PASSES = ("cold", "kept", "sorted another way")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings")
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command
        from django.test import Client

        from annotate.models import Dataset, User

        settings.ALLOWED_HOSTS = ["testserver"]
        call_command("migrate", verbosity=0)
        benchmark = make_benchmark(Dataset.objects.create(name="news", scheme="felm", ready=True))
        add_scorings(benchmark)
        client = Client()
        client.force_login(User.objects.create_superuser("root"))
        address = f"/benchmarks/{benchmark.pk}/results/"
        spent = {}
        for name, query in zip(PASSES, ("", "", "?sort=name"), strict=True):
            spent[name] = timed(lambda query=query: read(client, address + query))
            print(f"{SCORINGS} scorings × {EXAMPLES:,} examples, {name}: {spent[name]:.2f} s of the processor")
        one = time_plainly(benchmark)
        print(f"one interval the plain way: {one:.2f} s, ratio {one / spent['cold']:.2f} to the whole cold page")


def read(client, address: str) -> None:
    answer = client.get(address)
    if answer.status_code != 200:
        raise SystemExit(f"{address} answered {answer.status_code}.")


def timed(work) -> float:
    """Processor seconds: the page waits for nothing else, and other work on the machine does not count."""
    began = time.process_time()
    work()
    return time.process_time() - began


def make_benchmark(dataset):
    from factor.models import Benchmark, Completion, Example

    drawn = random.Random(1)
    benchmark = Benchmark.objects.create(dataset=dataset, name="as large as News-FACTOR")
    examples = Example.objects.bulk_create(
        Example(benchmark=benchmark, position=place, document_key=str(place), prefix="Before.\n")
        for place in range(EXAMPLES)
    )
    completions = []
    for example in examples:
        words = [f"word{drawn.randrange(5_000)}" for _ in range(WORDS)]
        completions.append(Completion(example=example, place=0, text=" ".join(words)))
        for place, kind in enumerate(TYPES, 1):
            changed = list(words)
            for at in drawn.sample(range(WORDS), drawn.randint(1, 4)):
                changed[at] = f"other{drawn.randrange(5_000)}"
            completions.append(Completion(example=example, place=place, text=" ".join(changed), error_type=kind))
    Completion.objects.bulk_create(completions, batch_size=500)
    return benchmark


def add_scorings(benchmark, scorings: int = SCORINGS) -> None:
    from factor.models import Completion, CompletionScore, ScoredModel, Scoring, ScoringItem

    drawn = random.Random(2)
    completions = list(Completion.objects.filter(example__benchmark=benchmark))
    for number in range(scorings):
        model = ScoredModel.objects.create(
            dataset=benchmark.dataset,
            name=f"model {number}",
            family=f"family {number % 3}",
            parameters=10 ** (8 + number / 6),
            reached_by="transformers",
            reached_as=f"model-{number}",
        )
        scoring = Scoring.objects.create(benchmark=benchmark, model=model, state="finished")
        ScoringItem.objects.bulk_create(
            ScoringItem(scoring=scoring, example=example, state="done") for example in benchmark.examples.all()
        )
        edge = 0.02 * number
        CompletionScore.objects.bulk_create(
            (scored(drawn, scoring, completion, edge) for completion in completions), batch_size=500
        )


def scored(drawn, scoring, completion, edge: float):
    """A token a word or so; true completions have an edge."""
    from factor.models import CompletionScore

    tokens, start = [], 0
    while start < len(completion.text):
        end = min(len(completion.text), start + 8)
        logprob = -drawn.expovariate(0.4) + (edge if completion.place == 0 else 0)
        tokens.append([start, end, logprob])
        start = end
    total = sum(token[2] for token in tokens)
    return CompletionScore(scoring=scoring, completion=completion, tokens=tokens, total=total, count=len(tokens))


def time_plainly(benchmark) -> float:
    from factor.models import CompletionScore
    from stats.bootstrap import RESAMPLES

    rows = CompletionScore.objects.filter(scoring=benchmark.scorings.first()).values_list(
        "completion__example_id", "completion__place", "total", "count"
    )
    means: dict[int, list[tuple[int, float]]] = {}
    for example, place, total, count in rows:
        means.setdefault(example, []).append((place, total / count))
    began = time.process_time()
    examples, drawn = list(means.values()), random.Random(3)
    for _ in range(RESAMPLES // 20):
        some = drawn.choices(examples, k=len(examples))
        sum(max(each, key=lambda pair: pair[1])[0] == 0 for each in some) / len(some)
    return 20 * (time.process_time() - began)


if __name__ == "__main__":
    main()
