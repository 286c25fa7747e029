"""Draw a sample of a benchmark's examples with all their false completions."""

from django.db import transaction
from django.db.models import Exists, OuterRef

from annotate.models import User
from factor.models import Benchmark, Completion, Validation
from factor.models.benchmark import ExampleQuerySet
from ratings.draw import add_items, check_draw, seeded


def population(benchmark: Benchmark) -> ExampleQuerySet:
    """The examples that count in figures and have a false completion."""
    false = Completion.objects.false().filter(example=OuterRef("pk"))
    return benchmark.examples.counted().filter(Exists(false))


@transaction.atomic
def draw_validation(benchmark: Benchmark, size: int, raters: int, seed: int, created_by: User | None) -> Validation:
    """Draw `size` examples; all false completions of each are to be rated by `raters` people each.

    Completions of one example come together, in random order: their place does not reveal how they were made.
    The same seed over the same benchmark draws the same. Raises DrawError.
    """
    keys = list(population(benchmark).order_by("position").values_list("pk", flat=True))
    none = "the benchmark has no example with a false completion"
    check_draw(size, len(keys), "the benchmark's examples", none, raters)
    chance = seeded(seed)
    drawn = chance.sample(keys, size)
    false: dict[int, list[int]] = {key: [] for key in drawn}
    rows = Completion.objects.false().filter(example__in=population(benchmark)).order_by("example", "place")
    for key, example in rows.values_list("pk", "example_id"):
        if example in false:
            false[example].append(key)
    completions = [key for example in drawn for key in chance.sample(false[example], len(false[example]))]
    validation = Validation.objects.create(
        benchmark=benchmark, size=size, population=len(keys), raters=raters, seed=seed, created_by=created_by
    )
    add_items(validation, [{"completion_id": key} for key in completions])
    return validation
