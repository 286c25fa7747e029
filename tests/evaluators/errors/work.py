"""A run with mistakes at hand, a sample of them, and people who tag it."""

from collections.abc import Sequence

from annotate.models import Dataset, Role, Segment, User
from evaluators.errors.causes import causes_of
from evaluators.errors.draw import draw_sample
from evaluators.errors.tag import hand_in, tag, take_place
from evaluators.models import ErrorAnalysis, ErrorCause, Run, Tagger
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response


def make_mistakes(number: int, right: int = 1, name: str = "lab") -> tuple[Dataset, Run]:
    """A run that calls every second of `number` errors correct and as many correct units errors, each in a prompt of
    its own; `right` units it judges as gold does."""
    dataset = make_dataset(name)
    said: dict[Segment, str] = {}
    for place in range(number + right):
        segment = make_response(dataset, [f"{place} is odd."], prompt=f"Is {place} odd?").segments.get()
        wrong = place % 2 == 0
        add_gold(segment, "not_supported" if wrong else "supported")
        says_error = wrong if place >= number else not wrong
        said[segment] = "N" if says_error else "S"
    return dataset, add_run(dataset, said)


def sample_of(run: Run, size: int, seed: int = 7) -> ErrorAnalysis:
    return draw_sample(run, None, size, seed, make_person("rhea"))


def researcher(name: str, dataset: Dataset) -> User:
    return make_person(name, dataset, Role.RESEARCHER)


def tag_all(analysis: ErrorAnalysis, person: User, *causes: int, done: bool = True) -> Tagger:
    """Tag the mistakes in order with the causes of these places, and hand in."""
    tagger = take_place(analysis, person)
    known = every_cause(analysis)
    for mistake, cause in zip(analysis.items.order_by("position"), causes, strict=True):
        tag(tagger, mistake, known[cause])
    if done:
        hand_in(tagger)
    return tagger


def every_cause(analysis: ErrorAnalysis) -> Sequence[ErrorCause]:
    return causes_of(analysis.run.dataset)
