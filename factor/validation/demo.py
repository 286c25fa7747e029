"""The demo's validations: a sample that two people have rated, and one that is open."""

import json
from pathlib import Path

from annotate.models import User
from evaluators.demo import ADJUDICATOR
from factor.models import Benchmark, CompletionRating
from factor.validation.draw import draw_validation
from ratings.rate import rate

SIZE = 8
RATERS = 2
SEED = 1


def make_validations(benchmark: Benchmark, ratings: Path) -> None:
    """Rows of the ratings: {"rater", "example", "place"} and the answers; those of drawn completions count."""
    answers: dict[str, dict[tuple[int, int], CompletionRating]] = {}
    for line in ratings.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rater, place = row.pop("rater"), (row.pop("example"), row.pop("place"))
        answers.setdefault(rater, {})[place] = CompletionRating(**row)
    adjudicator = User.objects.get(username=ADJUDICATOR)
    rated = draw_validation(benchmark, SIZE, RATERS, SEED, adjudicator)
    for name, own in answers.items():
        rater = User.objects.get(username=name)
        while (item := rated.next_item(rater)) is not None:
            rate(item, rater, own[item.completion.example.position, item.completion.place])
    draw_validation(benchmark, SIZE, RATERS, SEED + 1, adjudicator)
