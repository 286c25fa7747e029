"""How a sentence was corrected, word by word."""

import pytest

from annotate.judgements.word_diff import DiffPiece, additions, word_diff


@pytest.mark.parametrize(
    ("before", "after", "pieces"),
    [
        ("Ada sings.", "Ada sings.", [DiffPiece("same", "Ada sings.")]),
        ("Ada sings well.", "", [DiffPiece("removed", "Ada sings well.")]),
        (
            "Ada was born in 1814.",
            "Ada was born in 1815.",
            [
                DiffPiece("same", "Ada was born in"),
                DiffPiece("removed", " 1814."),
                DiffPiece("added", " 1815.", replaces=True),
            ],
        ),
        (
            "Ada sings.",
            "Ada often sings.",
            [DiffPiece("same", "Ada"), DiffPiece("added", " often"), DiffPiece("same", " sings.")],
        ),
    ],
)
def test_pieces(before, after, pieces):
    assert word_diff(before, after) == pieces


def test_white_space_alone_is_no_change():
    assert [piece.kind for piece in word_diff("Ada  sings. ", "Ada sings.")] == ["same"]


def test_only_what_replaces_nothing_is_an_addition():
    assert additions(word_diff("Ada was born in 1814.", "Ada was born in London in 1815.")) == []
    assert additions(word_diff("Ada was born.", "Ada was, so they say, born.")) == []  # "was," replaces "was"
    assert additions(word_diff("Ada was born.", "Ada really was born.")) == ["really"]
