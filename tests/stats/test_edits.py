"""Expected values are worked by hand."""

import pytest

from stats.edits import TextEdit, common_prefix, differing, distance, edits, mean_distance

TRUE = "After completing his term, he became Chief Justice of Nauru and Tuvalu in 1985."


def marked(text: str, spans: list[tuple[int, int]]) -> list[str]:
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (TRUE, 0),
        ("After completing his term, he became Chief Justice of Nauru and Tuvalu in 1987.", 1),
        ("After completing her term, she became Chief Justice of Nauru and Tuvalu in 1985.", 2),
        # "became" replaced by "declined the position of": one replaced, three put in.
        ("After completing his term, he declined the position of Chief Justice of Nauru and Tuvalu in 1985.", 4),
        ("After completing his term he became Chief Justice of Nauru and Tuvalu in 1985", 0),
        ("", 14),
    ],
)
def test_distance_counts_words_and_no_punctuation(other: str, expected: int) -> None:
    assert distance(TRUE, other) == distance(other, TRUE) == expected


def test_the_shortest_way_is_not_the_one_from_the_left() -> None:
    # Out goes "b", in comes "b" at the end: 2, where place by place all three of the last words differ.
    assert distance("a b c d", "a c d b") == 2


def test_an_example_counts_the_mean_of_its_false_completions() -> None:
    assert mean_distance("He won in 1985.", ["He won in 1987.", "She lost in 1985."]) == 1.5
    assert mean_distance("He won in 1985.", []) is None


def test_differing_words_are_marked_in_both_texts() -> None:
    other = "After completing her term, she became Chief Justice of Nauru and Tuvalu in 1985!"
    ours, theirs = differing(TRUE, other)
    assert marked(TRUE, ours) == ["his", "he", "."]
    assert marked(other, theirs) == ["her", "she", "!"]


def test_neighbouring_differences_are_one() -> None:
    one, other = "He became Chief Justice in 1985.", "He declined the post of Judge in 1985."
    (edit,) = edits(one, other)
    assert one[slice(*edit.one)] == "became Chief Justice"
    assert other[slice(*edit.other)] == "declined the post of Judge"


def test_what_is_only_in_one_has_an_empty_place_in_the_other() -> None:
    assert edits("He won.", "He never won.") == [TextEdit(one=(3, 3), other=(3, 8))]
    assert differing("He won", "He won twice") == ([], [(7, 12)])
    assert edits("same", "same") == []


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (TRUE, TRUE.replace("became", "declined the position of"), "After completing his term, he"),
        ("It rose 1.5 points", "It rose 1.7 points", "It rose"),
        ("He won", "He won twice", "He won"),
        ("He won.", "He won twice.", "He"),
        ("He", "She", ""),
        ("Same words", "Same words", "Same words"),
    ],
)
def test_the_common_prefix_ends_before_the_first_word_that_differs(one: str, other: str, expected: str) -> None:
    assert common_prefix(one, other) == common_prefix(other, one) == expected
