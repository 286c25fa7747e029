"""A board is opened: gold of a frozen version, parted by prompts."""

from secrets import token_urlsafe

import numpy as np
from django.db import transaction

from annotate.access import MemberRequest
from annotate.datasets.create import refuse_sandbox
from annotate.models import Dataset, GoldVersion, Response
from audit.models import Action
from audit.record import record
from core.errors import DataError
from evaluators.comparison.study import table_of
from evaluators.models import HeldOutBoard
from stats.arrays import Flags, Ints
from stats.gold_table import NO_GOLD, SUPPORTED, GoldTable
from stats.intervals import FEWEST_CLUSTERS

TEXTS_SHARED = "A public link of this dataset shows texts with gold. Revoke it first."


def open_board(
    request: MemberRequest, dataset: Dataset, version: GoldVersion, title: str, *, share: float, daily: int, seed: int
) -> HeldOutBoard:
    """share: of the prompts with gold, how many are hidden. DataError where a split would be too small, or texts with
    gold are public, and for a sandbox."""
    refuse_sandbox(dataset)
    if dataset.shared_comparisons.live().filter(units__isnull=False).exists():
        raise DataError(TEXTS_SHARED)
    table = table_of(dataset, version)
    with_gold = _prompts_with(table, table.units.value != NO_GOLD)
    hidden = draw_hidden(table.strata, with_gold, share, seed)
    errors = _prompts_with(table, (table.units.value != NO_GOLD) & (table.units.value != SUPPORTED))
    for name, split in (("hidden", hidden), ("public", with_gold & ~hidden)):
        count = int((errors & split).sum())
        if count < FEWEST_CLUSTERS:
            raise DataError(
                f"The {name} split would have {count} prompts with an error. Intervals need {FEWEST_CLUSTERS}."
            )
    keys = prompt_keys(dataset, table)
    with transaction.atomic():
        board: HeldOutBoard = dataset.held_out_boards.create(
            version=version,
            title=title,
            seed=seed,
            hidden=keys[hidden].tolist(),
            public=keys[with_gold & ~hidden].tolist(),
            daily=daily,
            created_by=request.user,
        )
        record(request, Action.BOARD_OPENED, board, detail=f"{dataset}: gold {version}")
    return board


def draw_hidden(strata: Ints, with_gold: Flags, share: float, seed: int) -> Flags:
    """Which prompts (C,) are hidden: the share of those with gold in each stratum, to the next whole prompt."""
    generator, hidden = np.random.default_rng(seed), np.zeros(len(strata), dtype=np.bool_)
    for stratum in np.unique(strata):
        own = np.flatnonzero((strata == stratum) & with_gold)
        hidden[generator.permutation(own)[: round(share * len(own))]] = True
    return hidden


def prompt_keys(dataset: Dataset, table: GoldTable) -> Ints:
    """The primary key of each of the table's prompts (C,)."""
    prompt_of = dict(Response.objects.filter(dataset=dataset).values_list("pk", "prompt_id"))
    keys = np.zeros(len(table.strata), dtype=np.int64)
    keys[table.responses.prompt] = [prompt_of[key] for key in table.responses.key.tolist()]
    return keys


def _prompts_with(table: GoldTable, units: Flags) -> Flags:
    """Which prompts (C,) have one of these units."""
    found = np.zeros(len(table.strata), dtype=np.bool_)
    found[table.prompt_of_unit[units]] = True
    return found


def new_key() -> str:
    return token_urlsafe(32)
