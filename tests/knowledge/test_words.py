"""Which words of a text carry its content."""

import pytest

from knowledge.words import content_spans, content_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The capital of France is Paris.", ["capital", "france", "paris"]),
        ("It isn't so, and it's not there!", []),
        ("", []),
        ("--- ***", []),
        ("Saturn's rings, Saturn’s moons", ["saturn", "rings", "saturn", "moons"]),
        ("1,234,567 people; 3.14; 12,5", ["1234567", "people", "3.14", "12", "5"]),
        ("In May the US left", ["may", "us", "left"]),
        ("Straße ＦＵＬＬ Æble", ["strasse", "full", "æble"]),  # case-folded; full-width letters are plain ones
        ("H2O and vitamin-C", ["h2o", "vitamin", "c"]),
    ],
)
def test_content_words(text, words):
    assert content_words(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("She wrote Ada’s notes, didn’t she?", ["wrote", "Ada", "notes"]),
        ("in 1,815 it was", ["1", "815"]),
        ("Who was it?", []),
    ],
)
def test_where_they_stand(text, words):
    assert [text[start:end] for start, end in content_spans(text)] == words
