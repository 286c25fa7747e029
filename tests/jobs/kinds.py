"""Of every registered kind: how to make one job whose items take a moment, and what is there when all is done.

A colleague who declares a kind adds an entry here; tests/jobs and tests/services then put it to every test.
"""

from collections.abc import Callable
from dataclasses import dataclass

from annotate.corpus.rows import PromptRow
from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset, Release, Response
from annotate.prompts.collect import collect
from annotate.prompts.start import Asked, start
from evaluators.models import Prediction
from evaluators.runs.create import create_run
from jobs.models import Job, JobItem
from llm.endpoints import default_endpoint
from tests.factories import add_gold, make_dataset, make_response


@dataclass(frozen=True)
class Example:
    """make: a job, or an item that is work by itself, of so many items; not enqueued. results: how many results there
    are in the database; each item brings one. asks: whether its items call the model at the default endpoint, which
    can be held up. step: the dotted name of a function that an item calls in the middle of its work, at which it is
    held up where it asks no model."""

    make: Callable[[int], Job | JobItem]
    results: Callable[[], int]
    asks: bool = False
    step: str = ""


def make_generation(items: int) -> Job:
    dataset = make_dataset(f"lives {Dataset.objects.count()}", scheme="factscore")
    collect(dataset, [PromptRow(f"Tell me a bio of Ines {n}.", topic=f"Ines {n}") for n in range(items)], "file")
    return start(dataset, default_endpoint(), Asked("m"))


def make_release(items: int) -> JobItem:
    dataset = make_dataset(f"released {Dataset.objects.count()}")
    for _ in range(items):
        for segment in make_response(dataset).segments.all():
            add_gold(segment, "supported")
    return Release.objects.create(version=freeze_gold(dataset, "v1"), licence="CC0-1.0")


def make_run(items: int) -> Job:
    dataset = make_dataset(f"judged {Dataset.objects.count()}")
    for number in range(items):
        make_response(dataset, [f"{number} is odd."])
    return create_run(dataset, "felm-segment", model="m").run


def responses_of_generations() -> int:
    return Response.objects.filter(subject="m").count()


def responses_released() -> int:
    """The responses of releases that are done; 0 before."""
    return sum(Release.objects.done().exclude(file="").values_list("written", flat=True))


EXAMPLES = {
    "generation": Example(make_generation, responses_of_generations, asks=True),
    "run": Example(make_run, Prediction.objects.count, asks=True),
    "release": Example(make_release, responses_released, step="annotate.release.make.write_tables"),
}
