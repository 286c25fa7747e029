"""Prompt templates as they are read from files."""

import hashlib

import pytest

from evaluators.prompts import templates
from evaluators.prompts.templates import prompt_hash, prompt_sets, read_template
from llm.templates import PromptError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with one set, "mine"."""
    (tmp_path / "mine").mkdir()
    monkeypatch.setattr(templates, "FOLDER", tmp_path)
    read_template.cache_clear()
    yield tmp_path / "mine"
    read_template.cache_clear()


def test_turns_become_messages_with_their_fields_filled_in(folder):
    (folder / "ask.txt").write_text("== system\nBe brief.\n== user\nQ: $question\n\nmore\n== assistant\nYes\n")

    assert read_template("mine", "ask").messages(question="costs $5 or ${x}?") == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Q: costs $5 or ${x}?\n\nmore"},
        {"role": "assistant", "content": "Yes"},
    ]


def test_a_field_that_is_not_filled_in_is_an_error(folder):
    (folder / "ask.txt").write_text("== user\n$question")

    with pytest.raises(KeyError, match="question"):
        read_template("mine", "ask").messages()


def test_the_hash_is_that_of_the_file(folder):
    (folder / "ask.txt").write_text("== user\nWell?")

    assert prompt_hash("mine", "ask") == hashlib.sha256(b"== user\nWell?").hexdigest()


@pytest.mark.parametrize("text", ["", "Hello", "Hello\n== user\nthere", "== nobody\nHello"])
def test_a_file_that_does_not_begin_with_a_turn_is_an_error(folder, text):
    (folder / "ask.txt").write_text(text)

    with pytest.raises(PromptError, match=r"mine/ask\.txt"):
        read_template("mine", "ask")


@pytest.mark.parametrize(("prompt_set", "name"), [("mine", "other"), ("yours", "ask"), ("..", "ask"), ("", "ask")])
def test_what_is_not_there_is_an_error(folder, prompt_set, name):
    (folder / "ask.txt").write_text("== user\nWell?")
    (folder.parent / "ask.txt").write_text("== user\nNot in a set.")

    with pytest.raises(PromptError, match="no template"):
        read_template(prompt_set, name)


def test_touchstones_own_set_is_there():
    assert "touchstone" in prompt_sets()
