"""Draw a sample of a benchmark's examples: simple random, without replacement, repeatable by its seed."""

import random

from django.db import transaction
from django.db.models import Exists, OuterRef

from annotate.models import User
from factor.models import Benchmark, Completion, Validation, ValidationItem
from factor.models.benchmark import ExampleQuerySet

MOST_RATERS = 20


class DrawError(ValueError):
    """The sample cannot be drawn; the message says why. Nothing was written."""


def population(benchmark: Benchmark) -> ExampleQuerySet:
    """The examples that figures are made of and that have a false completion."""
    false = Completion.objects.false().filter(example=OuterRef("pk"))
    return benchmark.examples.counted().filter(Exists(false))


@transaction.atomic
def draw_validation(benchmark: Benchmark, size: int, raters: int, seed: int, drawn_by: User | None) -> Validation:
    """Draw `size` examples; all false completions of each are to be rated by `raters` people each.

    Completions of one example stand together, in random order, so that their place does not tell how they were made.
    The same seed over the same benchmark draws the same. Raises DrawError.
    """
    if not 1 <= raters <= MOST_RATERS:
        raise DrawError(f"a completion is rated by 1 to {MOST_RATERS} people, not {raters}")
    keys = list(population(benchmark).order_by("position").values_list("pk", flat=True))
    if not keys:
        raise DrawError("the benchmark has no example with a false completion")
    if not 1 <= size <= len(keys):
        raise DrawError(f"draw 1 to {len(keys)} of the benchmark's examples, not {size}")
    chance = random.Random(seed)  # noqa: S311 - repeatable on purpose, no secret
    drawn = chance.sample(keys, size)
    false: dict[int, list[int]] = {key: [] for key in drawn}
    rows = Completion.objects.false().filter(example__in=population(benchmark)).order_by("example", "place")
    for key, example in rows.values_list("pk", "example_id"):
        if example in false:
            false[example].append(key)
    completions = [key for example in drawn for key in chance.sample(false[example], len(false[example]))]
    validation = Validation.objects.create(benchmark=benchmark, size=size, raters=raters, seed=seed, drawn_by=drawn_by)
    ValidationItem.objects.bulk_create(
        [
            ValidationItem(validation=validation, position=position, completion_id=key)
            for position, key in enumerate(completions)
        ],
        batch_size=500,
    )
    return validation
