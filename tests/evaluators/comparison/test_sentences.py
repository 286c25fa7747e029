"""The sentences of the comparison, from verdicts made up for them."""

from dataclasses import replace

import pytest

from evaluators.comparison.page_state import ComparisonState
from evaluators.comparison.sentences import headline_of, notes_of, pair_note, trivial_sentence
from evaluators.comparison.slices import Slicing
from evaluators.comparison.verdict_text import is_top, pairs_in_sentences, pairs_of, standings_of, verdict_of
from tests.evaluators.comparison.test_verdict_text import ADA, BEN, CLEO, EVERYTHING, document, line, pair

STATE = ComparisonState((), "segment", Slicing("domain", "Domain", ("science",), {}), (), "f1", None, False)
LINES = [ADA, BEN, line("dora", 3), CLEO, EVERYTHING]
PAIRS = pairs_of(
    document(
        pair("ada", "ben", 0.1),
        pair("ada", "dora", 0.3, better="ada", p=0.004),
        pair("ada", "everything", 0.4, better="ada", p=0.001),
        pair("ben", "everything", 0.3, better="ben", p=0.001),
        pair("dora", "everything", 0.1),
    )
)


def test_the_headline_is_one_line():
    said = headline_of(verdict_of(LINES, PAIRS, "f1"), STATE)

    assert said == "ada has the highest F1. Significantly better than dora; no significant difference from ben."


def test_the_headline_names_the_slices():
    said = headline_of(verdict_of(LINES, PAIRS, "f1"), replace(STATE, slices=("science",)))

    assert said.startswith("ada has the highest F1 in Science and technology. ")


@pytest.mark.parametrize(
    ("lines", "pairs", "said"),
    [
        ([ADA, EVERYTHING], [], "ada has the highest F1. No other evaluator."),
        ([ADA, BEN, EVERYTHING], PAIRS[:1], "ada has the highest F1. Not significant against any other evaluator."),
        ([CLEO, EVERYTHING], [], "No evaluator is ranked."),
        (
            [ADA, line("dora", 2), EVERYTHING],
            PAIRS[1:2],
            "ada has the highest F1. Significant: better than the other evaluator.",
        ),
    ],
)
def test_the_headline_without_others_without_ranks_and_when_all_is_sure(lines, pairs, said):
    assert headline_of(verdict_of(lines, pairs, "f1"), STATE) == said


def test_at_most_three_notes_the_nearest_evaluator_the_baseline_and_what_is_left_out():
    verdict = verdict_of(LINES, PAIRS, "f1")
    notes = notes_of(verdict, pairs_in_sentences(LINES, PAIRS), [ADA])

    assert [(note.mark, note.sure) for note in notes] == [
        *(("Not significant", False), ("Not significant", False), ("Not ranked", False))
    ]
    assert notes[0].text.startswith("ada and ben do not differ significantly: difference 0.100")
    assert notes[1].text == "Not significantly better than calling everything an error: dora."
    assert notes[2].text == "cleo. Reasons below."
    noise = notes_of(verdict_of(LINES[:3] + LINES[4:], PAIRS, "f1"), PAIRS, [ADA])
    assert noise[2].text == "Noise between runs: one run each. Intervals cover prompts alone."


def test_a_pair_that_is_sure_says_which_is_better():
    note = pair_note(PAIRS[1])

    assert (note.mark, note.sure) == ("Significant", True)
    assert note.text == "ada is better than dora: difference 0.300, 95 % +0.200 to +0.500, p = 0.004."


def test_the_trivial_baseline_is_told_in_one_way():
    assert trivial_sentence(0, []) == "No evaluator is ranked."
    assert trivial_sentence(2, []) == "Every ranked evaluator is better than calling everything an error."
    said = trivial_sentence(6, ["a", "b", "c", "d", "e"])
    assert said == "Not significantly better than calling everything an error: a, b, c, d, e."


def test_the_standing_of_each_evaluator_agrees_with_the_verdict():
    standings = standings_of(LINES, PAIRS, "f1")

    assert {name: each.words for name, each in standings.items()} == {
        "ada": "highest, not significant",
        "ben": "lower, not significant",
        "dora": "lower, significant",
        "cleo": "",
    }
    assert [name for name, each in standings.items() if is_top(each)] == ["ada", "ben"]
    assert not is_top(None)
    # Recall crowns nobody, so nobody is near the best.
    assert {each.sure for each in standings_of(LINES, PAIRS, "recall").values()} == {None}
