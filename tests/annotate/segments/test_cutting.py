"""Adding all segments up must give the response exactly."""

import pytest

from annotate.segments.cutting import CutError, check, closed, cut, joined, pieces_of, separator_for

SOLUTION = "Take 3 away:  2x = 4.\n\nHalve: x = 2."


def test_white_space_between_segments_belongs_to_none_of_them():
    assert cut(SOLUTION, ["Take 3 away:  2x = 4.", "Halve: x = 2."]) == [(0, 21), (23, 36)]


def test_white_space_around_a_piece_is_passed_over():
    assert cut(" One. Two. ", ["\nOne. ", "", "  Two."]) == [(1, 5), (6, 10)]


def test_white_space_inside_a_segment_must_be_that_of_the_response():
    with pytest.raises(CutError, match="segment 1 does not go on where the response does, at “Take 3 away"):
        cut(SOLUTION, ["Take 3 away: 2x = 4.", "Halve: x = 2."])


def test_a_line_may_end_in_another_way():
    assert cut("One:\r\n1.\rTwo.", ["One:\n1.", "Two."]) == [(0, 8), (9, 13)]


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        (["Take 3 away:  2x = 4."], "“Halve: x = 2.” is in no segment"),
        (["Halve: x = 2."], "segment 1 does not go on"),
        (["Take 3 away:  2x = 4.", "Halve: x = 3."], "segment 2 does not go on where the response does, at “Halve"),
        ([SOLUTION, "The end."], "segment 2 does not go on where the response does, at “its end”"),
        ([], "is in no segment"),
    ],
)
def test_what_does_not_add_up_is_refused_with_its_place(pieces, message):
    with pytest.raises(CutError, match=message):
        cut(SOLUTION, pieces)


def test_signs_that_mean_something_in_patterns_are_plain_text():
    assert cut("f(x)=x^2. [a|b]*", ["f(x)=x^2.", "[a|b]*"]) == [(0, 9), (10, 16)]


def test_offsets_count_characters_whatever_their_width():
    assert cut("Ein 😀. Ja.", ["Ein 😀.", "Ja."]) == [(0, 6), (7, 10)]


def test_the_separator_is_longer_than_any_run_in_the_text():
    assert separator_for("a *** b") == "*****"
    assert separator_for("a ****** b") == "*******"


def test_asterisks_that_touch_a_separator_belong_to_the_piece_before_it():
    assert pieces_of("**bold*******\nplain", "*****") == ["**bold**", "\nplain"]


def test_what_a_person_gets_to_edit_gives_the_same_segments_back():
    text = "1. **Birds**: short.\n2. **Wings**"
    spans = [(0, 20), (21, 33)]

    assert cut(text, pieces_of(joined(text, spans), separator_for(text))) == spans


def test_spans_are_trimmed_and_must_cover_the_text_in_order():
    assert check("One. Two.", [(0, 5), (5, 9)]) == [(0, 4), (5, 9)]
    for wrong in ([(5, 9), (0, 5)], [(0, 5), (4, 9)], [(0, 5)], [(0, 5), (5, 10)], [(0, 4), (4, 5), (5, 9)], []):
        with pytest.raises(CutError):
            check("One. Two.", wrong)


def test_what_a_file_left_out_goes_to_the_segment_before_it_or_the_first():
    assert closed("Well: one. Two, three. Four.", [(6, 10), (11, 15), (23, 28)]) == [(0, 10), (11, 22), (23, 28)]


def test_a_response_without_segments_is_one():
    assert closed(" One. ", []) == [(1, 5)]
