"""Prompt templates as methods read them."""

import hashlib

import pytest

from annotate.prompt_sets.templates import read_template, reading_templates
from llm.interfaces import as_text
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


def test_a_text_goes_out_as_it_stands_up_to_its_last_line_break(folder):
    (folder / "ask.txt").write_text("== user\n\n  Q: $question \n\n== assistant\nA:")

    assert as_text(read_template("mine", "ask").messages(question="Why?")) == "\n  Q: Why? \n\nA:"


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("$100 or 5$ or $ 5", "$100 or 5$ or $ 5"),
        ("$$x$$", "$x$"),
        ("$$question", "$question"),
        ("${question}?", "why?"),
    ],
)
def test_a_dollar_sign_that_begins_no_name_stays(folder, written, sent):
    (folder / "felm_segment.txt").write_text(f"== user\n{written}")

    [message] = read_template("mine", "felm_segment").messages(question="why")

    assert message["content"] == sent


@pytest.mark.parametrize("name", ["felm_claims", "felm_claims_science"])
def test_a_name_that_is_never_filled_in_is_an_error_with_its_line(folder, name):
    (folder / f"{name}.txt").write_text("== user\n$question\nIt costs $x.")

    with pytest.raises(PromptError, match=rf"mine/{name}\.txt, line 3: \$x is not filled in here"):
        read_template("mine", name)


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
