"""The start of a study of open-ended generation: its pairs are drawn, its texts are queued."""

import math
from dataclasses import dataclass

from django.db import transaction

from annotate.grants.allowances import check_left
from annotate.grants.endpoints import check_granted
from annotate.models import User
from factor.models import Completion, OpenEndedGeneration, OpenEndedPair, OpenEndedStudy, Scoring
from factor.open_ended.pairs import Pairs, pairs_of
from jobs.errors import StartError
from jobs.limits import NO_LIMITS, Limits
from llm.models import Endpoint
from llm.price import is_priced
from ratings.draw import BATCH, seeded
from stats.edits import common_prefix

MOST_GENERATIONS = 20
MOST_TOKENS = 1000
MOST_CHARACTERS = 1_000_000
MOST_RATERS = 2
HOTTEST = 2.0


@dataclass(frozen=True)
class Design:
    """The size of the draw and the settings of the model (FACTOR §6.1, without temperature and length)."""

    seed: int
    per_group: int = 100
    generations: int = 3
    raters: int = 1
    temperature: float = 1.0
    answer_tokens: int = 64
    prompt_characters: int = 4000


def start(
    scoring: Scoring,
    endpoint: Endpoint,
    reached_as: str,
    design: Design,
    by: User | None = None,
    limits: Limits = NO_LIMITS,
) -> OpenEndedStudy:
    """Draw the pairs, and queue their texts. The endpoint knows the model as `reached_as`. Raises StartError."""
    _check(scoring, endpoint, reached_as, design, limits)
    check_left(scoring.benchmark.dataset, by)
    pairs = pairs_of(scoring)
    if not (pairs.right or pairs.wrong):
        raise StartError(f"{scoring} has no pairs with two scores.")
    with transaction.atomic():
        study = OpenEndedStudy.objects.create(
            scoring=scoring,
            endpoint=endpoint,
            reached_as=reached_as.strip(),
            **vars(design),
            right_pairs=len(pairs.right),
            wrong_pairs=len(pairs.wrong),
            unscored_pairs=len(pairs.unscored),
            max_tokens=limits.tokens,
            max_cost_usd=limits.cost_usd,
            created_by=by,
        )
        _draw(study, pairs)
    return study


def _draw(study: OpenEndedStudy, pairs: Pairs) -> None:
    """The same number of each group, in an order that does not reveal the group."""
    draw = seeded(study.seed)
    drawn = [
        (completion, right)
        for group, right in ((pairs.right, True), (pairs.wrong, False))
        for completion in draw.sample(group, min(study.per_group, len(group)))
    ]
    draw.shuffle(drawn)
    false = Completion.objects.in_bulk([completion for completion, _ in drawn])
    of_examples = {each.example_id for each in false.values()}
    true = {each.example_id: each for each in Completion.objects.filter(example__in=of_examples, place=0)}
    facts = _facts_written(study)
    rows = [
        OpenEndedPair(
            study=study,
            completion=false[completion],
            position=position,
            right=right,
            common=common_prefix(true[false[completion].example_id].text, false[completion].text),
            **facts.get(completion, {}),
        )
        for position, (completion, right) in enumerate(drawn)
    ]
    OpenEndedPair.objects.bulk_create(rows, batch_size=BATCH)
    OpenEndedGeneration.objects.bulk_create(
        [OpenEndedGeneration(pair=pair, sample=sample) for pair in rows for sample in range(study.generations)],
        batch_size=BATCH,
    )


def _facts_written(study: OpenEndedStudy) -> dict[int, dict[str, object]]:
    """Minimal facts, and reasons to leave a pair out, from other studies of the benchmark, by completion.

    They hold for the pair and for every model."""
    written = OpenEndedPair.objects.filter(
        study__scoring__benchmark=study.scoring.benchmark_id, written_at__isnull=False
    ).order_by("written_at")
    of_fact = ("fact", "excluded", "written_by_id", "written_at")
    return {row.pop("completion"): row for row in written.values("completion", *of_fact)}


def _check(scoring: Scoring, endpoint: Endpoint, reached_as: str, design: Design, limits: Limits) -> None:
    if scoring.state != Scoring.State.FINISHED:
        raise StartError(f"{scoring} is not finished yet.")
    if not scoring.with_prefix or scoring.source_id is not None:
        raise StartError(
            f"{scoring} has no prefixes or has retrieval: choose a scoring with prefixes and without retrieval."
        )
    if not reached_as.strip():
        raise StartError("Enter the model's name at the endpoint.")
    check_granted(scoring.benchmark.dataset, endpoint)
    if limits.cost_usd is not None and not is_priced(endpoint, reached_as.strip()):
        raise StartError(f"The price of {reached_as} is unknown: limit tokens instead of the price.")
    _within("pairs of each group", design.per_group, 1, None)
    _within("texts for each pair", design.generations, 1, MOST_GENERATIONS)
    _within("people for each text", design.raters, 1, MOST_RATERS)
    _within("tokens of a text", design.answer_tokens, 1, MOST_TOKENS)
    _within("characters of a prompt", design.prompt_characters, 1, MOST_CHARACTERS)
    if not (math.isfinite(design.temperature) and 0 <= design.temperature <= HOTTEST):
        raise StartError(f"The temperature must be 0 to {HOTTEST:g}.")
    if design.generations > 1 and design.temperature == 0:
        raise StartError("At temperature 0 all texts of a pair are the same: enter a higher one.")


def _within(what: str, number: int, least: int, most: int | None) -> None:
    if number < least or (most is not None and number > most):
        raise StartError(f"There are {least}{' or more' if most is None else f' to {most:,}'} {what}, not {number:,}.")
