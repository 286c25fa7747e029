"""Tokens worked by hand: one a word, unless said otherwise."""

import numpy as np
import pytest

from stats.differing_tokens import CompletionTokens, differing_sides, means_of_differing, telling


def shown(text: str, spans: list[tuple[int, int]]) -> list[str]:
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("one", "other", "ours", "theirs"),
    [
        ("He won in 1985.", "He won in 1987.", ["1985"], ["1987"]),
        # Nothing stands in place of "never": the word after the gap counts on both sides.
        ("He won in 1985.", "He never won in 1985.", ["won"], ["never won"]),
        ("He won", "He won twice", ["won"], ["won twice"]),
        ("He  won.", "He won.", ["He  won."], ["He won."]),
    ],
)
def test_a_pair_is_scored_by_what_tells_it_apart(one: str, other: str, ours: list[str], theirs: list[str]) -> None:
    left, right = telling(one, other)
    assert (shown(one, left), shown(other, right)) == (ours, theirs)


def tokens_of(*completions: list[tuple[int, int, float]]) -> CompletionTokens:
    flat = [token for tokens in completions for token in tokens]
    start, end, logprob = zip(*flat, strict=True)
    return CompletionTokens(
        np.array(start), np.array(end), np.array(logprob), np.array([len(each) for each in completions])
    )


def test_only_tokens_that_overlap_the_difference_count() -> None:
    texts = ["He won in 1985.", "He won in 1987.", "She won in 1985."]
    tokens = tokens_of(
        # " 1985" comes as two tokens, of which both touch the year.
        [(0, 2, -1.0), (2, 6, -1.0), (6, 9, -1.0), (9, 12, -2.0), (12, 14, -4.0), (14, 15, -1.0)],
        [(0, 2, -1.0), (2, 6, -1.0), (6, 9, -1.0), (9, 14, -9.0), (14, 15, -1.0)],
        [(0, 3, -7.0), (3, 7, -1.0), (7, 10, -1.0), (10, 15, -9.0), (15, 16, -1.0)],
    )
    sides = differing_sides(texts, np.array([0, 0]), np.array([1, 2]))
    # The true one against the second: its year; against the third: "He".
    assert means_of_differing(sides, tokens).tolist() == [-3.0, -1.0, -9.0, -7.0]


def test_a_completion_without_a_score_has_none_here_either() -> None:
    sides = differing_sides(["It is.", "It was."], np.array([0]), np.array([1]))
    found = means_of_differing(sides, tokens_of([(0, 2, -1.0), (2, 5, -2.0), (5, 6, -1.0)], []))
    assert found[0] == -2.0
    assert np.isnan(found[1])


def test_the_parts_of_one_letter_count_with_it() -> None:
    # Three tokens make up "é": the first two end where they start.
    sides = differing_sides(["é on", "o on"], np.array([0]), np.array([1]))
    found = means_of_differing(
        sides, tokens_of([(0, 0, -1.0), (0, 0, -2.0), (0, 1, -6.0), (1, 4, -9.0)], [(0, 4, -5.0)])
    )
    assert found.tolist() == [-3.0, -5.0]
