"""The statistics of a dataset (docs/commands.md, `dataset_stats`): read here, computed in stats."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from annotate.corpus.reference_facts import reference_lists
from annotate.gold.fact_counts import read_fact_counts, segments_of_gold
from annotate.gold.read import CHUNK, integers, read_gold
from annotate.models import Dataset
from annotate.models.gold import counted
from annotate.statistics.citations import cited
from annotate.statistics.lone_claims import stand_alone
from annotate.statistics.reference import reference_by_table
from stats.arrays import Flags, Ints, Texts, number
from stats.bootstrap import Resampling
from stats.f1_at_k import NO_RESPONSE, OF_LONE_CLAIMS, OF_SEGMENTS, KChoice, claims_of_table, describe_at_k
from stats.factscore import (
    Shares,
    common_prompts,
    describe_shares,
    mean,
    response_shares,
    score_interval,
)
from stats.factscore_groups import SubjectShares, describe_precision
from stats.gold_table import GoldTable
from stats.sizes import WordCounts, sentence_sizes, slice_sizes, words_of_response, words_of_sentence


def build_dataset_stats(dataset: Dataset, gold_version: str | None = None, k: KChoice = None) -> dict[str, Any]:
    """The document of `dataset_stats` (docs/commands.md) over gold: plain JSON values, None where undefined.

    gold_version: None for gold in force. k: of F1@K. `subjects` is empty unless the scheme is FActScore's; slice "all"
    comes first. DataError: no such version.
    """
    table = read_gold(dataset, gold_version)
    revision = None if gold_version is None else dataset.find_gold_revision(gold_version)
    words = _read_words(dataset, revision)
    subjects = dict(_subjects(table)) if table.of_facts else {}
    shares = response_shares(table)
    shares_of = {subject: shares.of(rows) for subject, rows in subjects.items()}
    facts = read_fact_counts(dataset, revision) if subjects else None
    resampling = Resampling(table.strata)
    precision = describe_precision(table, subjects, _cited(dataset, revision), resampling) if subjects else {}
    return {
        "dataset": dataset.name,
        "scheme": dataset.scheme,
        "slices": [{"domain": domain, **slice_sizes(table, words, rows)} for domain, rows in _domains(table)],
        "subjects": [
            {
                "subject": subject,
                **_score(shares_of[subject], precision[subject], resampling),
                **sentence_sizes(table, words, facts, rows & shares.responding),
            }
            for subject, rows in subjects.items()
            if facts is not None
        ],
        "common_prompts": common_prompts(shares_of),
        **_recall(dataset, table, k, resampling),
    }


def _recall(dataset: Dataset, table: GoldTable, k: KChoice, resampling: Resampling) -> dict[str, Any]:
    """F1@K, and recall against lists of facts."""
    subjects, values, lists = subjects_of(dataset, table), table.units.value, reference_lists(dataset)
    counts, names, why = claims_of_table(table, values, subjects), list(subjects), why_no_k(table, subjects)
    return {
        "at_k": None if why else describe_at_k(counts, names, k, resampling),
        "at_k_undefined": why,
        "reference": reference_by_table(lists, table, values, counts, names, resampling) if subjects else None,
    }


def subjects_of(dataset: Dataset, table: GoldTable) -> dict[str, Flags]:
    """The responses of each subject model; a claim that stands alone is no response of one."""
    alone = stand_alone(dataset, table.responses.key)
    return {name: rows & ~alone for name, rows in _subjects(table) if (rows & ~alone).any()}


def why_no_k(table: GoldTable, subjects: Mapping[str, Flags]) -> str | None:
    """Why F1@K of the units that people judge is undefined; None where it is not."""
    if not table.of_facts and not table.of_claims:
        return OF_SEGMENTS
    if subjects:
        return None
    return OF_LONE_CLAIMS if table.of_claims and len(table.responses.key) else NO_RESPONSE


def _domains(table: GoldTable) -> Iterator[tuple[str, Flags]]:
    """All responses but the removed, then those of each domain in their order; the flags are rows of
    responses."""
    yield "all", ~table.responses.removed
    for name, rows in _parted(table, table.prompts.domain[table.responses.prompt]):
        if name:
            yield name, rows


def _subjects(table: GoldTable) -> Iterator[tuple[str, Flags]]:
    return _parted(table, table.responses.subject)


def _parted(table: GoldTable, of_response: Texts) -> Iterator[tuple[str, Flags]]:
    """The responses by name; removed ones are in no part, and what has none but these is left out."""
    names, numbers = number(of_response)
    for place, name in enumerate(names):
        rows = (numbers == place) & ~table.responses.removed
        if rows.any():
            yield name, rows


BY_CLASS = ("by_frequency", "by_frequency_responding", "by_nationality")


def _score(shares: Shares, precision: SubjectShares, resampling: Resampling) -> dict[str, Any]:
    """One subject's FActScore with what stands beside it; `precision`: where its supported facts are."""
    around = score_interval(shares, resampling)
    return {
        "prompts": len(shares.prompt),
        "responding": int(shares.responding.sum()),
        "factscore": mean(shares.score[shares.responding]),
        "factscore_interval": around.ends() if around else None,
        **describe_shares(shares),
        **{key: {each["name"]: each["share"] for each in precision["precision"][key]} for key in BY_CLASS},
        "by_position": [each["share"] for each in precision["precision"]["by_position"]],
        **precision,
    }


def _read_words(dataset: Dataset, revision: int | None) -> WordCounts:
    """Only the counts are kept: the texts of a large dataset do not fit in memory."""
    responses = dataset.responses.filter(counted("", revision)).order_by("position").values_list("text", flat=True)
    segments = segments_of_gold(dataset, revision).values_list("text", flat=True)
    return WordCounts(
        integers(words_of_response(text) for text in responses.iterator(chunk_size=CHUNK)),
        integers(words_of_sentence(text) for text in segments.iterator(chunk_size=CHUNK)),
    )


def _cited(dataset: Dataset, revision: int | None) -> Ints:
    """1 for each segment with a citation, 0 without, −1 where that is not known."""
    responses = (
        dataset.responses.filter(counted("", revision))
        .order_by("position")
        .values_list("pk", "text")
        .iterator(chunk_size=CHUNK)
    )
    sentences = segments_of_gold(dataset, revision).values_list("response_id", "text").iterator(chunk_size=CHUNK)
    flags: list[bool | None] = []
    for response, group in groupby(sentences, key=itemgetter(0)):
        text = next(text for pk, text in responses if pk == response)
        flags += cited(text, [sentence for _, sentence in group])
    return integers(-1 if flag is None else int(flag) for flag in flags)
