"""The demo's validations: a sample of the benchmark that two people have rated, and one that they can go on with."""

import json
from pathlib import Path

from annotate.models import User
from evaluators.demo import ADJUDICATOR
from factor.models import Benchmark
from factor.validation.draw import draw_validation
from factor.validation.rate import next_item, rate
from factor.validation.word import Word

SIZE = 8
RATERS = 2
SEED = 1


def make_validations(benchmark: Benchmark, ratings: Path) -> None:
    """Rows of the ratings: {"rater", "example", "place"} and the answers; of what the seed draws they are taken."""
    words: dict[str, dict[tuple[int, int], Word]] = {}
    for line in ratings.read_text(encoding="utf-8").splitlines():
        said = json.loads(line)
        rater, place = said.pop("rater"), (said.pop("example"), said.pop("place"))
        words.setdefault(rater, {})[place] = Word(**said)
    adjudicator = User.objects.get(username=ADJUDICATOR)
    rated = draw_validation(benchmark, SIZE, RATERS, SEED, adjudicator)
    for name, own in words.items():
        rater = User.objects.get(username=name)
        while (item := next_item(rated, rater)) is not None:
            rate(item, rater, own[item.completion.example.position, item.completion.place])
    draw_validation(benchmark, SIZE, RATERS, SEED + 1, adjudicator)
