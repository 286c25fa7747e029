"""Scores that were computed elsewhere, as JSON lines (factor/scoring/export.py). All of a file, or nothing."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotate.evidence.source import sources_of
from core.errors import RowError, at_line, describe
from core.json_lines import read_objects
from core.row_fields import check_keys, check_list, filled_text, optional_text, parse_date
from factor.models import Benchmark, Completion, CompletionScore, ScoredModel, Scoring, ScoringItem
from factor.scoring.export import RETRIEVAL
from factor.scoring.start import LONGEST_CONTEXT, MOST_TOKENS, SHORTEST_CONTEXT
from jobs.models import JobItem

LONGEST_NAME, LONGEST_FAMILY, LONGEST_PLACE = 200, 100, 300
MOST_PARAMETERS = 2**62
BATCH = 500
NOT_IN_FILE = "The file of scores has none for it."


@dataclass(frozen=True)
class ImportedScores:
    """Of completions: `scored`, `without_score` with a reason in the file, `missing` where the file has no line."""

    scoring: Scoring
    examples: int
    scored: int
    without_score: int
    missing: int


@transaction.atomic
def import_scores(benchmark: Benchmark, path: Path) -> ImportedScores:
    """A finished scoring of the examples that the file has. Its model is the dataset's of that name, else a new one.

    Raises DataError with file and line.
    """
    there = {
        (completion.example.position, completion.place): completion
        for completion in Completion.objects.filter(example__benchmark=benchmark).select_related("example")
    }
    scoring: Scoring | None = None
    scores: dict[tuple[int, int], CompletionScore] = {}
    number = 1
    for number, row in read_objects(path):
        try:
            if scoring is None:
                scoring = _scoring(benchmark, row)
            else:
                address, score = _score(scoring, row, there)
                if address in scores:
                    raise RowError(f"example {address[0]} has another line of place {address[1]}")
                scores[address] = score
        except RowError as error:
            raise at_line(path, number, error) from None
    if scoring is None or not scores:
        raise at_line(path, number, "no completion has a score")
    return _stored(scoring, scores, there)


def _stored(
    scoring: Scoring, scores: dict[tuple[int, int], CompletionScore], there: dict[tuple[int, int], Completion]
) -> ImportedScores:
    examples = {position for position, _ in scores}
    missing = [
        CompletionScore(scoring=scoring, completion=completion, error=NOT_IN_FILE)
        for address, completion in there.items()
        if address[0] in examples and address not in scores
    ]
    keys = {there[address].example_id for address in scores}
    done = {"state": JobItem.State.DONE, "settled_at": timezone.now()}
    ScoringItem.objects.bulk_create(
        (ScoringItem(scoring=scoring, example_id=key, **done) for key in sorted(keys)), batch_size=BATCH
    )
    CompletionScore.objects.bulk_create([*scores.values(), *missing], batch_size=BATCH)
    scored = sum(score.total is not None for score in scores.values())
    return ImportedScores(scoring, len(examples), scored, len(scores) - scored, len(missing))


def _scoring(benchmark: Benchmark, row: dict[str, Any]) -> Scoring:
    check_keys(row, ("model", "context_length", "with_prefix"), ("benchmark", "retrieval", "start_token"))
    retrieval = row.get("retrieval")
    return Scoring.objects.create(
        benchmark=benchmark,
        model=_model(benchmark, row["model"]),
        context_length=_whole(row, "context_length", SHORTEST_CONTEXT, LONGEST_CONTEXT),
        with_prefix=_flag(row, "with_prefix"),
        start_token="start_token" in row and _flag(row, "start_token"),
        **({} if retrieval is None else _retrieval(benchmark, retrieval)),
        state=Scoring.State.FINISHED,
        finished_at=timezone.now(),
    )


def _model(benchmark: Benchmark, row: object) -> ScoredModel:
    if not isinstance(row, dict):
        raise RowError(f"model must be an object, not {describe(row)}")
    check_keys(row, ("name",), ("family", "parameters", "cutoff", "reached_by", "reached_as"), "model")
    name = filled_text(row, "name", LONGEST_NAME)
    known = benchmark.dataset.scored_models.filter(name=name).first()
    if known is not None:
        return known
    has_parameters = row.get("parameters") is not None
    return ScoredModel.objects.create(
        dataset=benchmark.dataset,
        name=name,
        family=optional_text(row, "family", LONGEST_FAMILY),
        parameters=_whole(row, "parameters", 1, MOST_PARAMETERS) if has_parameters else None,
        cutoff=parse_date(row["cutoff"], "cutoff") if row.get("cutoff") else None,
        reached_by=ScoredModel.Reached.ELSEWHERE,
        reached_as=optional_text(row, "reached_as", LONGEST_PLACE) or name,
    )


def _retrieval(benchmark: Benchmark, row: object) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise RowError(f"retrieval must be an object, not {describe(row)}")
    check_keys(row, ("source", *RETRIEVAL), (), "retrieval")
    name = filled_text(row, "source")
    source = sources_of(benchmark.dataset).filter(name=name).first()
    if source is None:
        raise RowError(f"there is no knowledge source {name!r}")
    return {"source": source, **{key: _whole(row, key, 1, MOST_TOKENS) for key in RETRIEVAL}}


def _score(
    scoring: Scoring, row: dict[str, Any], there: dict[tuple[int, int], Completion]
) -> tuple[tuple[int, int], CompletionScore]:
    check_keys(row, ("example", "place"), ("text", "tokens", "prefix_tokens", "error"))
    address = (_whole(row, "example", 0, MOST_PARAMETERS), _whole(row, "place", 0, MOST_PARAMETERS))
    completion = there.get(address)
    if completion is None:
        raise RowError(f"the benchmark has no completion at example {address[0]}, place {address[1]}")
    if row.get("text", completion.text) != completion.text:
        raise RowError(f"the benchmark has another completion at example {address[0]}, place {address[1]}")
    if "tokens" not in row:
        check_keys(row, ("example", "place", "error"), ("text",))
        return address, CompletionScore(scoring=scoring, completion=completion, error=filled_text(row, "error"))
    tokens = [_token(each, len(completion.text)) for each in check_list(row["tokens"], "tokens")]
    if not tokens:
        raise RowError("tokens is empty: without a score a line says why, as error")
    return address, CompletionScore(
        scoring=scoring,
        completion=completion,
        tokens=tokens,
        total=sum(logprob for _, _, logprob in tokens),
        count=len(tokens),
        prefix_tokens=_whole(row, "prefix_tokens", 0, LONGEST_CONTEXT) if "prefix_tokens" in row else 0,
    )


def _token(row: object, characters: int) -> list[Any]:
    """[start, end, log-probability]."""
    match row:
        case [int(start), int(end), float(logprob) | int(logprob)] if 0 <= start <= end <= characters:
            if math.isfinite(logprob) and logprob <= 0:
                return [start, end, float(logprob)]
            raise RowError(f"the log-probability of a token must be finite and at most 0, not {logprob}")
    raise RowError(
        f"a token is [start, end, log-probability], in a text of {characters} characters; not {describe(row)}"
    )


def _flag(row: dict[str, Any], key: str) -> bool:
    value = row[key]
    if not isinstance(value, bool):
        raise RowError(f"{key} must be true or false, not {describe(value)}")
    return value


def _whole(row: dict[str, Any], key: str, least: int, most: int) -> int:
    value = row[key]
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise RowError(f"{key} must be a whole number from {least} to {most:,}, not {describe(value)}")
    return value
