from hypothesis import given
from hypothesis import strategies as st

from annotate.corpus.locate import locate, locate_everywhere


def test_segments_are_located_one_after_the_other():
    assert locate("It rains. It rains.", ["It rains.", "It rains."]) == [(0, 9), (10, 19)]


def test_white_space_may_differ():
    text = "One  line.\n\nAnother\tline."
    spans = locate(text, ["One line.", "Another line."])
    assert [text[start:end] for start, end in spans] == ["One  line.", "Another\tline."]


def test_a_literal_line_break_counts_as_white_space():
    text = "Steps:\\n\\n1. Stir.\\n2. Wait."
    spans = locate(text, ["Steps:\n\n1. Stir.", "2. Wait."])
    assert [text[start:end] for start, end in spans] == ["Steps:\\n\\n1. Stir.", "2. Wait."]


def test_escaped_quotation_marks_agree_with_plain_ones():
    text = 'He read \\"Emma\\" twice.'
    assert locate(text, ['He read "Emma" twice.']) == [(0, len(text))]


def test_a_segment_keeps_its_own_white_space_where_the_text_has_it():
    assert locate("One.\nTwo.", ["One.", "\nTwo."]) == [(0, 4), (4, 9)]


def test_a_segment_that_is_not_there_has_no_place_and_the_next_is_still_found():
    assert locate("One. Two.", ["One.", "Three.", "Two."]) == [(0, 4), None, (5, 9)]


def test_an_empty_segment_has_no_place():
    assert locate("One. Two.", ["One.", "", " \n", "Two."]) == [(0, 4), None, None, (5, 9)]


def test_a_segment_before_the_last_one_found_is_not_looked_for():
    assert locate("One. Two.", ["Two.", "One."]) == [(5, 9), None]


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1), max_size=6))
def test_pieces_of_a_text_are_found_in_order_and_apart(pieces):
    text = " ".join(pieces)
    end = 0
    for piece, span in zip(pieces, locate(text, pieces), strict=True):
        if span is None:
            continue
        assert end <= span[0] < span[1] <= len(text)
        assert set(text[span[0] : span[1]].split()) == set(piece.split()) or "\\" in piece
        end = span[1]


def test_every_place_of_a_piece_is_found():
    assert locate_everywhere("a b, a  b. aab", "a b") == [(0, 3), (5, 9), (12, 14)]
    assert locate_everywhere("aaa", "aa") == [(0, 2)]
    assert locate_everywhere("aaa", " ") == []
