"""A benchmark at hand, and people who rate its completions."""

from annotate.models import Dataset, User
from factor.models import Benchmark, Completion, CompletionRating, Example, Validation
from factor.validation.draw import draw_validation
from ratings.rate import rate
from tests.factories import make_person


def verdict(non_factual, fluent, self_consistent, error_type="", note=""):
    """A rating that is not saved."""
    return CompletionRating(
        non_factual=non_factual, fluent=fluent, self_consistent=self_consistent, error_type=error_type, note=note
    )


GOOD = verdict(True, True, True, "entity")
FACTUAL = verdict(False, True, True)


def make_benchmark(dataset: Dataset, examples: int = 1, false: int = 3, documents: int | None = None) -> Benchmark:
    """Examples whose false completions were brought by the prompts entity, predicate, circumstance in turn.

    They are of so many documents, one after the other (default: of one each).
    """
    benchmark = Benchmark.objects.create(dataset=dataset, name="news")
    for position in range(examples):
        example = Example.objects.create(
            benchmark=benchmark,
            position=position,
            document_key=f"d{position % (documents or examples)}",
            prefix=f"The town council of Ulm met on day {position}.",
        )
        Completion.objects.create(example=example, place=0, text="The mayor spoke for an hour.")
        for place, (text, kind) in enumerate(FALSE[:false], 1):
            Completion.objects.create(example=example, place=place, text=text, error_type=kind)
    return benchmark


FALSE = (
    ("The doctor spoke for an hour.", "entity"),
    ("The mayor slept for an hour.", "predicate"),
    ("The mayor spoke for three short days.", "circumstance"),
)


def draw(benchmark: Benchmark, size: int | None = None, raters: int = 2, seed: int = 7) -> Validation:
    """By Dora; all examples where no size is given."""
    return draw_validation(benchmark, size or benchmark.examples.count(), raters, seed, make_person("dora"))


def rate_all(validation: Validation, rater: User, words: dict[tuple[int, int], CompletionRating] | None = None) -> None:
    """The rater's words by (position of the example, place of the completion); for the rest: it is as generated."""
    while (item := validation.next_item(rater)) is not None:
        completion = item.completion
        place = (completion.example.position, completion.place)
        rate(item, rater, (words or {}).get(place) or verdict(True, True, True, completion.error_type))
