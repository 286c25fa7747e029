"""A variable, or a file in its place."""

import re
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from core.environment import read_variable
from llm.endpoints import NO_KEY, key_of
from llm.models import Endpoint


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that WORD_FILE names."""
    monkeypatch.delenv("WORD", raising=False)
    monkeypatch.setenv("WORD_FILE", str(tmp_path / "word"))
    return tmp_path / "word"


@pytest.mark.parametrize(
    ("written", "read"),
    [("word", "word"), ("word\n", "word"), ("word\r\n", "word"), (" a word \n\n", " a word \n")],
)
def test_only_the_line_feed_at_the_end_of_a_file_does_not_count(file: Path, written: str, read: str) -> None:
    file.write_bytes(written.encode())
    assert read_variable("WORD") == read


def test_a_file_is_read_anew_each_time(file: Path) -> None:
    file.write_text("first")
    assert read_variable("WORD") == "first"
    file.write_text("second")
    assert read_variable("WORD") == "second"


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (None, "WORD_FILE is {file}, which cannot be read: No such file or directory."),
        (b"", "WORD_FILE is {file}, which is empty."),
        (b" \n", "WORD_FILE is {file}, which is empty."),
        (b"\xff", "WORD_FILE is {file}, which is no text in UTF-8."),
    ],
)
def test_a_file_without_a_text_is_named(file: Path, written: bytes | None, sentence: str) -> None:
    if written is not None:
        file.write_bytes(written)
    with pytest.raises(ImproperlyConfigured, match=re.escape(sentence.format(file=file))):
        read_variable("WORD")


def test_a_variable_is_given_in_one_way(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("word")
    monkeypatch.setenv("WORD", "another")
    with pytest.raises(ImproperlyConfigured, match="WORD and WORD_FILE are both set: leave one of them out"):
        read_variable("WORD")


def test_the_key_of_an_endpoint_is_read_from_its_file_and_the_name_of_the_file_is_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "key").write_text("sk-of-the-lab\n")
    monkeypatch.setenv("TOUCHSTONE_KEY_LAB_FILE", str(tmp_path / "key"))
    assert key_of(Endpoint(key_variable="TOUCHSTONE_KEY_LAB")) == "sk-of-the-lab"
    assert key_of(Endpoint(key_variable="TOUCHSTONE_KEY_LAB_FILE")) == NO_KEY
