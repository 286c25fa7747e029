"""Prompt templates as methods read them."""

import hashlib

import pytest

from evaluators.prompts.templates import read_template, reading_templates
from llm.templates import PromptError


@pytest.fixture
def folder(tmp_path, settings, db):
    """A folder with one set, "mine"."""
    (tmp_path / "mine").mkdir()
    settings.PROMPTS_DIR = tmp_path
    return tmp_path / "mine"


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


def test_what_was_read_is_noted_with_the_hash_of_its_text(folder):
    (folder / "ask.txt").write_text("== user\nWell?")

    with reading_templates(None) as noted:
        read_template("mine", "ask")
    read_template("touchstone", "felm_segment")

    assert noted == {"ask": hashlib.sha256(b"== user\nWell?").hexdigest()}


@pytest.mark.parametrize("text", ["", "Hello", "Hello\n== user\nthere", "== nobody\nHello"])
def test_a_file_that_does_not_begin_with_a_turn_is_an_error(folder, text):
    (folder / "ask.txt").write_text(text)

    with pytest.raises(PromptError, match=r"mine/ask\.txt"):
        read_template("mine", "ask")


@pytest.mark.parametrize(("prompt_set", "name"), [("mine", "tell"), ("yours", "ask"), ("../mine", "ask")])
def test_a_template_that_is_not_there_is_an_error(folder, prompt_set, name):
    (folder / "ask.txt").write_text("== user\nWell?")

    with pytest.raises(PromptError, match="prompt set"):
        read_template(prompt_set, name)
