"""A submission against the gold of both splits, and the standing of the teams on the hidden one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

import numpy as np
from django.conf import settings

from annotate.gold.read import CODE
from evaluators.comparison.levels import decisions_by_level, gold_levels
from evaluators.comparison.study import table_of
from evaluators.held_out.split import prompt_keys
from evaluators.models import BoardSubmission, HeldOutBoard
from evaluators.predictions.read import NO_FACT, NO_SCORE, NOT_PARSED, ROW, place_rows
from stats.bootstrap import Resampling
from stats.detection import METRICS, MISSING, Decisions, DetectionRow, Level
from stats.gold_table import GoldTable
from stats.paired_tests import PairFamily, compare_pairs
from stats.pessimistic import describe_with_pessimistic, undecided_as_wrong
from stats.ranks import better_than, rank_of, rank_ranges

HIDDEN, PUBLIC = "hidden", "public"
SPLITS = (HIDDEN, PUBLIC)
FIGURE = "f1"

# [segment, fact or null, value or null where it could not be parsed]
SentPrediction = tuple[int, int | None, str | None]


class SplitFigure(TypedDict):
    """value: undecided units counted as wrong; None with the reason `why` where it is undefined. withheld: why a known
    value has no interval."""

    value: float | None
    interval: list[float] | None
    why: str
    withheld: str


class SplitResults(TypedDict):
    """figures: by name of METRICS. unranked: why it has no rank here."""

    n: int
    coverage: float | None
    unranked: str | None
    figures: dict[str, SplitFigure]


class StandingRow(TypedDict):
    """A team by its last submission. rank: 1 is best; ranks: the set of ranks that it may have, of all pairs together;
    both None where it is not ranked."""

    team: str
    system: str
    submission: int
    hidden: SplitResults
    public: SplitResults
    rank: int | None
    ranks: list[int] | None


def score(board: HeldOutBoard, predictions: Sequence[SentPrediction]) -> dict[str, SplitResults]:
    """By split. Of the units of both together nothing is told: with the public split it would tell the hidden one."""
    table = table_of(board.dataset, board.version)
    level = split_level(board, table)
    decisions = _decisions(table, level, predictions)
    (rows,) = describe_with_pessimistic(
        level, [decisions], Resampling(table.strata), tuple(METRICS), settings.LEAST_COVERAGE
    )
    return {row["slice"]["split"]: _results(row) for row in rows if row["slice"]["split"] in SPLITS}


def split_level(board: HeldOutBoard, table: GoldTable) -> Level:
    """The smallest units, in slices by split; those of other prompts have no gold here."""
    level = gold_levels(table)[0]
    keys = prompt_keys(board.dataset, table)[level.cluster]
    hidden, public = np.isin(keys, board.hidden), np.isin(keys, board.public)
    gold: Decisions = np.where(hidden | public, level.gold, MISSING).astype(np.int8)
    return replace(level, gold=gold, slice=np.where(hidden, 0, 1), slices=SPLITS, slice_name="split")


def _decisions(table: GoldTable, level: Level, predictions: Sequence[SentPrediction]) -> Decisions:
    rows = [
        (segment, NO_FACT if fact is None else fact, NOT_PARSED if value is None else CODE[value], NO_SCORE)
        for segment, fact, value in predictions
    ]
    placed = place_rows(np.array(rows, dtype=ROW), table)
    return decisions_by_level(table, placed.units, placed.segments)[level.name]


def _results(row: DetectionRow) -> SplitResults:
    return {
        "n": row["n"],
        "coverage": row["coverage"],
        "unranked": row["unranked"],
        "figures": {
            name: {
                "value": row["pessimistic"][name],
                "interval": row["pessimistic_intervals"].get(name),
                "why": row["undefined"].get(name, ""),
                "withheld": row["pessimistic_withheld"].get(name, ""),
            }
            for name in METRICS
        },
    }


def standing_of(board: HeldOutBoard) -> list[StandingRow]:
    """The teams by the F1 of their last submissions on the hidden split, the best first, those without a rank last."""
    last = last_submissions(board)
    ranked = [each for each in last if _rankable(each.results[HIDDEN])]
    ranks = _ranks(board, ranked)
    rows: list[StandingRow] = [
        {
            "team": each.team.name,
            "system": each.system,
            "submission": each.pk,
            "hidden": each.results[HIDDEN],
            "public": each.results[PUBLIC],
            "rank": ranks[each.pk][0] if each.pk in ranks else None,
            "ranks": ranks[each.pk][1] if each.pk in ranks else None,
        }
        for each in last
    ]
    return sorted(rows, key=lambda row: (row["rank"] is None, row["rank"], row["team"]))


def last_submissions(board: HeldOutBoard) -> list[BoardSubmission]:
    """Of each team whose key is not revoked, by its name."""
    submissions = BoardSubmission.objects.filter(team__board=board, team__revoked_at__isnull=True)
    last = {each.team_id: each for each in submissions.select_related("team").order_by("created_at", "pk")}
    return sorted(last.values(), key=lambda each: each.team.name)


def _rankable(results: SplitResults) -> bool:
    return results["unranked"] is None and results["figures"][FIGURE]["value"] is not None


def _ranks(board: HeldOutBoard, submissions: Sequence[BoardSubmission]) -> dict[int, tuple[int, list[int]]]:
    """The rank and the set of ranks of each, by primary key; every pair is tested, all together."""
    if not submissions:
        return {}
    table = table_of(board.dataset, board.version)
    level = split_level(board, table)
    gold: Decisions = np.where(level.slice == 0, level.gold, MISSING).astype(np.int8)
    filled = [undecided_as_wrong(gold, _decisions(table, level, each.predictions)) for each in submissions]
    places = range(len(submissions))
    pairs = [(one, other) for one in places for other in places if one < other]
    compared = compare_pairs(
        gold, filled, level.cluster, FIGURE, Resampling(table.strata), pairs, [PairFamily(pairs)] if pairs else []
    )
    better = better_than(len(submissions), ((each.places, each.better) for each in compared))
    values = [each.results[HIDDEN]["figures"][FIGURE]["value"] for each in submissions]
    return {
        each.pk: (rank_of(value, values), list(ends))
        for each, value, ends in zip(submissions, values, rank_ranges(better), strict=True)
    }
