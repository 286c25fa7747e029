"""FActScore by class, place, sentence and citation: shares of supported facts with intervals.

Prompts are resampled.

References
----------
Min et al. (2023), FActScore, §3.4, §3.5 and figure 2. docs/statistics.md, FActScore of a subject model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from stats.arrays import Flags, Floats, Ints, Texts, known, number, ratio
from stats.bootstrap import Resampling
from stats.factscore import Shares, response_shares
from stats.gold_table import NO_GOLD, SUPPORTED, GoldTable
from stats.intervals import effective_intervals

# Parts of a response, for the relative position of a fact.
BINS = 5
# Sentences up to this one have groups of their own; those after it share its group.
LAST_SENTENCE = 10


@dataclass(frozen=True)
class Grouping:
    """Rows (facts, sentences or responses) in groups; the figure of a group is the share Σpart / Σwhole.

    Attributes
    ----------
    names : of the groups
    group : (N,) int
        Number of each row's group, −1 for a row that counts nowhere.
    prompt : (N,) int
        Its cluster.
    part, whole : (N,)
    """

    names: Sequence[str]
    group: Ints
    prompt: Ints
    part: Floats
    whole: Floats

    def by_prompt(self, column: Floats, prompts: int) -> Floats:
        """(prompts, groups): the column's sums."""
        rows, groups = self.group >= 0, len(self.names)
        place = self.prompt[rows] * groups + self.group[rows]
        sums: Floats = np.bincount(place, weights=column[rows], minlength=prompts * groups).astype(np.float64)
        return sums.reshape(prompts, groups)

    def sizes(self) -> Ints:
        """The number of rows of each group."""
        return np.bincount(self.group[self.group >= 0], minlength=len(self.names))


class GroupShare(TypedDict):
    """Share of a group of n rows; None where there is nothing to divide by. interval: None below eight prompts."""

    name: str
    share: float | None
    interval: list[float] | None
    n: int


class SubjectShares(TypedDict):
    """Shares of a subject's groups by the name of the grouping (OF_PRECISION, OF_CITATIONS)."""

    precision: dict[str, list[GroupShare]]
    citations: dict[str, list[GroupShare]]


def describe_groupings(groupings: Mapping[Any, Grouping], resampling: Resampling) -> dict[Any, list[GroupShare]]:
    """Shares of the groups of each grouping, all by the same draws of prompts.

    Returns
    -------
    For each key a row for each group.
    """
    prompts = len(resampling.strata)
    sums = {
        key: np.stack([each.by_prompt(each.part, prompts), each.by_prompt(each.whole, prompts)], axis=2)
        for key, each in groupings.items()
    }
    if not sums:
        return {}
    totals = resampling.totals(np.concatenate([each.reshape(prompts, -1) for each in sums.values()], axis=1))
    described, start = {}, 0
    for key, each in sums.items():
        drawn = totals[:, start : start + each[0].size].reshape(resampling.resamples, *each.shape[1:])
        described[key] = _describe(groupings[key], each, drawn)
        start += each[0].size
    return described


def _describe(grouping: Grouping, sums: Floats, drawn: Floats) -> list[GroupShare]:
    shares = ratio(sums[:, :, 0].sum(axis=0), sums[:, :, 1].sum(axis=0))
    resampled = ratio(drawn[:, :, 0], drawn[:, :, 1])
    prompts = (sums[:, :, 1] > 0).sum(axis=0)
    rows = grouping.sizes()
    return [
        {
            "name": name,
            "share": known(shares[place]),
            "interval": around.ends() if around else None,
            "n": int(rows[place]),
        }
        for place, (name, around) in enumerate(
            zip(grouping.names, effective_intervals(shares, resampled, prompts), strict=True)
        )
    ]


def describe_precision(
    table: GoldTable, subjects: Mapping[str, Flags], cited: Ints, resampling: Resampling
) -> dict[str, SubjectShares]:
    """Shares of each subject by class, place, sentence and citation.

    Parameters
    ----------
    table : GoldTable
    subjects : the flags (R,) of each subject's responses
    cited : (S,) int
        1 for each segment with a citation, 0 without, −1 where that is not known.
    resampling : Resampling

    Returns
    -------
    SubjectShares of each subject.
    """
    shares = response_shares(table)
    groupings = {
        (subject, name): grouping
        for subject, rows in subjects.items()
        for name, grouping in _groupings(table, shares.of(rows), rows, cited).items()
    }
    described = describe_groupings(groupings, resampling)
    return {
        subject: {
            "precision": {name: described[subject, name] for name in OF_PRECISION},
            "citations": {name: described[subject, name] for name in OF_CITATIONS},
        }
        for subject in subjects
    }


OF_PRECISION = (
    "by_frequency",
    "by_frequency_responding",
    "by_nationality",
    "by_nationality_responding",
    "by_position",
    "by_sentence",
    "sentences_by_frequency",
)
OF_CITATIONS = ("cited_by_support", "support_by_citation")


def _groupings(table: GoldTable, shares: Shares, rows: Flags, cited: Ints) -> dict[str, Grouping]:
    prompts, sentences = table.prompts, labelled_sentences(table, rows)
    return {
        "by_frequency": score_by_class(shares, prompts.frequency),
        "by_frequency_responding": score_by_class(shares, prompts.frequency, responding_only=True),
        "by_nationality": score_by_class(shares, prompts.nationality),
        "by_nationality_responding": score_by_class(shares, prompts.nationality, responding_only=True),
        "by_position": facts_by_position(table, rows),
        "by_sentence": facts_by_sentence(table, rows),
        "sentences_by_frequency": sentences_by_class(sentences, prompts.frequency),
        "cited_by_support": cited_by_support(sentences, cited),
        "support_by_citation": support_by_citation(sentences, cited),
    }


def score_by_class(shares: Shares, classes: Texts, responding_only: bool = False) -> Grouping:
    """Responses by class of their prompt: the mean share supported over all prompts of the class.

    An abstained response counts 0, or nowhere with `responding_only`.

    Parameters
    ----------
    shares : Shares of R responses
    classes : (P,)
        Class of each prompt; "" counts nowhere.
    responding_only : bool
    """
    counted = shares.responding if responding_only else shares.responding | shares.abstained
    names, numbers = _named(classes)
    return Grouping(
        names,
        np.where(counted, numbers[shares.prompt], -1),
        shares.prompt,
        np.where(shares.responding, shares.score, 0.0),
        np.ones(len(shares.prompt)),
    )


def facts_by_position(table: GoldTable, responses: Flags) -> Grouping:
    """Facts by place in the response, pooled: fact i of n (from 0) is in bin ⌊5i/n⌋."""
    labelled = _labelled(table, responses)
    response = table.response_of_unit[labelled]
    facts = np.bincount(response, minlength=len(responses))
    first = np.cumsum(facts) - facts
    # Units are in reading order, so those of one response stand together.
    place = np.arange(len(response)) - first[response]
    names = [f"{100 * each // BINS} to {100 * (each + 1) // BINS} %" for each in range(BINS)]
    return _of_facts(table, labelled, names, BINS * place // facts[response])


def facts_by_sentence(table: GoldTable, responses: Flags) -> Grouping:
    """Facts of the first sentence, of the second, … and of all from the tenth on, pooled."""
    labelled = _labelled(table, responses)
    names = [*(str(place) for place in range(1, LAST_SENTENCE)), f"{LAST_SENTENCE} and later"]
    sentence = np.minimum(table.segments.position[table.units.segment[labelled]], LAST_SENTENCE - 1)
    return _of_facts(table, labelled, names, sentence)


def _of_facts(table: GoldTable, facts: Flags, names: Sequence[str], group: Ints) -> Grouping:
    supported = (table.units.value[facts] == SUPPORTED).astype(np.float64)
    return Grouping(names, group, table.prompt_of_unit[facts], supported, np.ones(len(supported)))


@dataclass(frozen=True)
class Sentences:
    """Sentences that have facts with gold.

    A sentence is an error where any fact of it is.

    Attributes
    ----------
    row : (N,) int
        Of the table's segments.
    supported : (N,) bool
        All its facts are.
    prompt : (N,) int
    """

    row: Ints
    supported: Flags
    prompt: Ints


def labelled_sentences(table: GoldTable, responses: Flags) -> Sentences:
    """Sentences of some responses (a flag for each), irrelevant sentences among the errors."""
    labelled = _labelled(table, responses)
    segment = table.units.segment[labelled]
    wrong = table.units.value[labelled] != SUPPORTED
    size = len(table.segments.key)
    row = np.flatnonzero(np.bincount(segment, minlength=size))
    supported = np.bincount(segment[wrong], minlength=size)[row] == 0
    return Sentences(row, supported, table.responses.prompt[table.segments.response[row]])


def sentences_by_class(sentences: Sentences, classes: Texts) -> Grouping:
    """Sentences without an error by class of their prompt, pooled."""
    names, numbers = _named(classes)
    return _of_sentences(sentences, names, numbers[sentences.prompt], sentences.supported)


CITED = ("uncited", "cited")
SUPPORTED_OR_NOT = ("unsupported", "supported")


def cited_by_support(sentences: Sentences, cited: Ints) -> Grouping:
    """Sentences with a citation (`cited`, of each segment) among those with an error and those without."""
    own = cited[sentences.row]
    group = np.where(own < 0, -1, sentences.supported)
    return _of_sentences(sentences, SUPPORTED_OR_NOT, group, own == 1)


def support_by_citation(sentences: Sentences, cited: Ints) -> Grouping:
    """Sentences without an error among those without a citation and those with one."""
    return _of_sentences(sentences, CITED, cited[sentences.row], sentences.supported)


def _of_sentences(sentences: Sentences, names: Sequence[str], group: Ints, part: Flags) -> Grouping:
    return Grouping(names, group, sentences.prompt, part.astype(np.float64), np.ones(len(part)))


def _labelled(table: GoldTable, responses: Flags) -> Flags:
    """The units with gold in responses that do not abstain."""
    answered = responses & ~table.responses.abstained
    labelled: Flags = (table.units.value != NO_GOLD) & answered[table.response_of_unit]
    return labelled


def _named(classes: Texts) -> tuple[list[str], Ints]:
    """The classes that have a name, and the number of each row's, −1 where it has none."""
    names = [name for name in number(classes)[0] if name]
    places = {name: place for place, name in enumerate(names)}
    return names, np.array([places.get(name, -1) for name in classes], dtype=np.int64)
