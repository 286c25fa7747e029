"""Where subject models are precise: shares of supported facts by class, place, sentence and citation, with intervals.

FActScore §3.4, §3.5 and figure 2; docs/statistics.md, FActScore of a subject model, and Intervals and tests. Plain
columns in, figures out. Prompts are resampled.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotate.agreement.resampling import Flags, Ints, Resampling
from annotate.gold.factscore import Shares, response_shares
from annotate.gold.grouping import Grouping, describe_groupings
from annotate.gold.table import NO_GOLD, SUPPORTED, GoldTable, Texts, number

# Parts of a response, for the relative position of a fact.
BINS = 5
# Sentences are told apart up to this one; those after it are counted together with it.
LAST_SENTENCE = 10


def describe_precision(
    table: GoldTable, subjects: Mapping[str, Flags], cited: Flags, resampling: Resampling
) -> dict[str, dict[str, Any]]:
    """For each subject {"precision": {name of a grouping: shares}, "citations": {…}} (docs/commands.md).

    subjects: for each the flags of its responses; cited: of each segment.
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


def _groupings(table: GoldTable, shares: Shares, rows: Flags, cited: Flags) -> dict[str, Grouping]:
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
    """Responses by `classes` (of each prompt; "" counts nowhere): the mean share supported over all prompts of the
    class, an abstained response counting 0; or over those responded to."""
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
    """By place in the response: fact i of n (from 0) is in bin ⌊5i/n⌋, pooled. responses: a flag for each."""
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
    """The sentences that have facts with gold. row: of the table's segments; prompt: number of each one's.

    supported: all its facts are. A sentence is an error where any fact of it is (docs/statistics.md, Error detection).
    """

    row: Ints
    supported: Flags
    prompt: Ints


def labelled_sentences(table: GoldTable, responses: Flags) -> Sentences:
    """Those of some responses (a flag for each), irrelevant sentences among the errors."""
    labelled = _labelled(table, responses)
    segment = table.units.segment[labelled]
    wrong = table.units.value[labelled] != SUPPORTED
    size = len(table.segments.key)
    row = np.flatnonzero(np.bincount(segment, minlength=size))
    supported = np.bincount(segment[wrong], minlength=size)[row] == 0
    return Sentences(row, supported, table.responses.prompt[table.segments.response[row]])


def sentences_by_class(sentences: Sentences, classes: Texts) -> Grouping:
    """Sentences without an error by `classes` (of each prompt), pooled."""
    names, numbers = _named(classes)
    return _of_sentences(sentences, names, numbers[sentences.prompt], sentences.supported)


CITED = ("uncited", "cited")
SUPPORTED_OR_NOT = ("unsupported", "supported")


def cited_by_support(sentences: Sentences, cited: Flags) -> Grouping:
    """Sentences with a citation (`cited`, of each segment) among those with an error and those without (§3.5)."""
    return _of_sentences(sentences, SUPPORTED_OR_NOT, sentences.supported.astype(np.int64), cited[sentences.row])


def support_by_citation(sentences: Sentences, cited: Flags) -> Grouping:
    """Sentences without an error among those without a citation and those with one."""
    return _of_sentences(sentences, CITED, cited[sentences.row].astype(np.int64), sentences.supported)


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
