"""Verbatim, up to what no reader sees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.links.quotes import Match, QuotedText, mark_quotes

TEXT = "Ada Lovelace was an English mathematician.\nShe wrote the first program."


def test_a_quote_is_found_where_it_stands() -> None:
    assert QuotedText(TEXT).find("an English mathematician") == Match(17, 41)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("mathematician. She wrote", TEXT),
        ("  an \t English\nmathematician ", TEXT),
        ("Babbage's engine", "Babbage’s engine"),
        ('called "the engine"', "called “the engine”"),
        ('called "the engine"', "called «the engine»"),
        ("1815-1852", "1815–1852"),
        ("well-known", "well‑known"),
        ("mathematician", "mathe\u00admati\u200bcian"),
        ("mathe\u00admatician", "mathematician"),
        ("caf\u00e9", "cafe\u0301"),
        ("cafe\u0301", "caf\u00e9"),
        ("first flight", "ﬁrst ﬂight"),
        ("10 December", "10\u00a0December"),
    ],
)
def test_what_no_reader_sees_makes_no_difference(quote: str, text: str) -> None:
    assert QuotedText(text).says(quote)
    assert QuotedText(text).find(quote) is not None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("an english mathematician", TEXT),
        ("an English mathematician!", TEXT),
        ("an English … program", TEXT),
        ("102 metres", "10² metres"),
        ("cafe", "café"),
        ("", TEXT),
        (" \n", TEXT),
        ("\u00ad", TEXT),
        ("Ada", ""),
    ],
)
def test_everything_else_does(quote: str, text: str) -> None:
    assert not QuotedText(text).says(quote)
    assert QuotedText(text).find(quote) is None


def test_the_place_is_that_in_the_text_itself() -> None:
    text = "He called  it\n“the ﬁrst\u00ad engine” in 1843."
    match = QuotedText(text).find('it "the first engine"')
    assert match is not None
    assert text[match.start : match.end] == "it\n“the ﬁrst\u00ad engine”"


@given(st.text(alphabet="ab \n\u00ad’–ﬁé", max_size=30), st.data())
def test_any_stretch_of_a_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))]
    if quote.replace("\u00ad", "").strip():
        match = QuotedText(text).find(" ".join(quote.split()))
        assert match is not None and 0 <= match.start < match.end <= len(text)


def test_quotes_are_marked_and_the_text_stays_whole() -> None:
    pieces = mark_quotes(["English mathematician", "an English", "nowhere", "first"], QuotedText(TEXT))
    assert "".join(piece.text for piece in pieces) == TEXT
    assert [piece.text for piece in pieces if piece.match] == ["an English", " mathematician", "first"]
