"""The names of scorings on the pages and in the report: the model and its variant."""

from collections import Counter
from collections.abc import Sequence

from factor.models import Benchmark, Scoring

USUAL_CONTEXT = 1024


def names_in(benchmark: Benchmark) -> dict[int, str]:
    """The names of all of the benchmark's scorings: a name does not depend on the chosen scorings."""
    return names_of(list(benchmark.scorings.select_related("model", "source")))


def names_of(scorings: Sequence[Scoring]) -> dict[int, str]:
    """A name of its own for each, by its key; scorings alike in everything are numbered from the oldest on."""
    plain = {each.pk: ", ".join([each.model.name, *variant_of(each)]) for each in scorings}
    times, seen = Counter(plain.values()), Counter[str]()
    names = {}
    for pk in sorted(plain):
        name = plain[pk]
        seen[name] += 1
        names[pk] = f"{name}, {_time(seen[name])} time" if times[name] > 1 and seen[name] > 1 else name
    return names


def variant_of(scoring: Scoring) -> list[str]:
    """The differences from a plain scoring."""
    parts = []
    if not scoring.with_prefix:
        parts.append("no prefix")
    if scoring.start_token:
        parts.append("start token")
    if scoring.source is not None:
        parts.append(f"retrieval from {scoring.source}")
    if scoring.context_length != USUAL_CONTEXT:
        parts.append(f"{scoring.context_length} tokens of context")
    return parts


def is_plain(scoring: Scoring) -> bool:
    return scoring.with_prefix and scoring.source_id is None


def _time(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")
