"""Cutting documents."""

import pytest

from knowledge.passages import cut, cut_at_sentences


@pytest.mark.parametrize(
    ("text", "passages"),
    [
        ("", []),
        (" \n ", []),
        ("one", ["one"]),
        ("one two three", ["one two three"]),
        ("one two three four", ["one two three", "four"]),
        (" one\n\n two  three\tfour five six ", ["one\n\n two  three", "four five six"]),
    ],
)
def test_passages_of_three_words(text, passages):
    assert cut(text, 3) == passages


def pieces(text, sentences, words):
    """The passages as texts; sentences are given by their texts."""
    spans = [(text.index(sentence), text.index(sentence) + len(sentence)) for sentence in sentences]
    return [text[start:end] for start, end in cut_at_sentences(text, spans, words)]


def test_a_passage_holds_as_many_whole_sentences_as_fit():
    text = "Bees dance.  Ants march on.\nWasps rest."

    assert pieces(text, ["Bees dance.", "Ants march on.", "Wasps rest."], 5) == [
        "Bees dance.  Ants march on.",
        "Wasps rest.",
    ]


def test_a_sentence_longer_than_a_passage_is_cut_between_words():
    text = "Bees dance. Ants march on and on."

    assert pieces(text, ["Bees dance.", "Ants march on and on."], 3) == ["Bees dance.", "Ants march on", "and on."]


def test_a_text_without_sentences_has_no_passage():
    assert cut_at_sentences(" \n", [], 3) == []
