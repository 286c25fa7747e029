"""The claims that runs extracted by themselves, beside gold (docs/statistics.md, Extracted claims)."""

from collections.abc import Collection

import numpy as np

from annotate.gold.read import CHUNK, CODE, integers
from evaluators.comparison.levels import decide, judged_in_relevant, slice_of_responses
from evaluators.models import ClaimAlignment, ExtractedClaim, Run
from evaluators.predictions.counts import judged_without_claims
from evaluators.predictions.read import NOT_PARSED
from stats.arrays import Ints, number
from stats.bootstrap import Resampling
from stats.detection import MISSING
from stats.extraction import Extraction, ExtractionColumns, describe_extraction
from stats.gold_table import GoldTable


def extractions_of(runs: Collection[Run], table: GoldTable, resampling: Resampling) -> dict[int, Extraction]:
    """By the key of the run; a run without claims of its own has none."""
    extracting = extracting_runs(runs)
    return {
        run.pk: describe_extraction(read_extraction(run, table), resampling) for run in runs if run.pk in extracting
    }


def extracting_runs(runs: Collection[Run]) -> set[int]:
    """The keys of those with claims of their own."""
    claims = ExtractedClaim.objects.filter(run__in=runs)
    return set(claims.order_by().values_list("run", flat=True).distinct())


def read_extraction(run: Run, table: GoldTable) -> ExtractionColumns:
    """Claims of the responses that the run got to an end with and that are still in the dataset, and all units.

    Responses that it judged without claims (`judged_without_claims`) are left out. Units of other responses have no
    gold here; nor have those of sentences that are irrelevant as a whole, as in error detection. Behind the table's
    units stands one more, for units that people do not judge any more.
    """
    done = integers(run.items.done().values_list("response_id", flat=True))
    there = np.isin(table.responses.key, done) & ~table.responses.removed
    without = np.isin(table.responses.key, integers(judged_without_claims(run)))
    judged = there & ~without
    gold = decide(table.units.value)
    gold[~judged_in_relevant(table)] = MISSING
    with_gold = np.bincount(table.response_of_unit[gold != MISSING], minlength=len(judged)) > 0
    gold[~judged[table.response_of_unit]] = MISSING
    slices, slice_of = _slices(table)
    keys = table.responses.key[judged].tolist()
    prompts = dict(zip(keys, table.responses.prompt[judged].tolist(), strict=True))
    slice_of_key = dict(zip(keys, slice_of[judged].tolist(), strict=True))
    columns = run.extracted_claims.order_by("pk").values_list("pk", "response_id", "value")
    claims = [row for row in columns.iterator(CHUNK) if row[1] in prompts]
    claim, unit = _read_alignments(run, {pk: place for place, (pk, _, _) in enumerate(claims)}, table)
    return ExtractionColumns(
        gold=np.append(gold, np.int8(MISSING)),
        unit_prompt=np.append(table.prompt_of_unit, 0),
        said=decide(integers(NOT_PARSED if value is None else CODE[value] for _, _, value in claims)),
        claim_prompt=integers(prompts[response] for _, response, _ in claims),
        claim=claim,
        unit=unit,
        slices=slices,
        unit_slice=np.append(slice_of[table.response_of_unit], -1),
        claim_slice=integers(slice_of_key[response] for _, response, _ in claims),
        left_out_slice=slice_of[there & without & with_gold],
    )


def _slices(table: GoldTable) -> tuple[list[str], Ints]:
    """The names of the slices of error detection, and the place of each response among them; −1 without a name."""
    names, numbers = number(slice_of_responses(table))
    named = [name for name in names if name]
    places = integers(named.index(name) if name else -1 for name in names)
    return named, places[numbers]


def _read_alignments(run: Run, claims: dict[int, int], table: GoldTable) -> tuple[Ints, Ints]:
    """claims: the place of each claim by its key."""
    keys = table.units.fact if table.of_facts else table.segments.key
    units = {key: place for place, key in enumerate(keys.tolist())}
    key = "fact_id" if table.of_facts else "segment_id"
    rows = ClaimAlignment.objects.filter(claim__run=run).order_by("pk").values_list("claim_id", key)
    known = [(claims[claim], units.get(unit, len(keys))) for claim, unit in rows.iterator(CHUNK) if claim in claims]
    return integers(claim for claim, _ in known), integers(unit for _, unit in known)
