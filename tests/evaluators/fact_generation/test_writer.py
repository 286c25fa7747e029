"""The prompt that breaks a sentence into facts, and what is read from the answers."""

import asyncio

import pytest

from evaluators.fact_generation.writer import FactPrompt, FactWriter, read_facts_as_released
from evaluators.methods import METHODS
from evaluators.methods.parameters import read_parameters
from llm.templates import PromptError, parse_template
from tests.evaluators.methods.cases import ScriptedModel

FIXED = parse_template("== user\nOne fox.\n== assistant\n- A fox.\n== user\n$sentence", "fixed")
POOL = parse_template(
    "== user\nThe ship sank.\n== assistant\n- A ship sank.\n"
    "== user\nThe queen spoke.\n== assistant\n- A queen spoke.\n"
    "== user\nThe ship of the queen.\n== assistant\n- The queen has a ship.",
    "pool",
)
SENTENCE = "A queen and her ship."


def contents(messages):
    return [message["content"] for message in messages]


def writer(**parameters):
    return FactWriter(read_parameters(METHODS["factscore-no-context"], parameters))


def test_the_nearest_demonstration_stands_beside_the_sentence():
    # Both words of the sentence stand in the third sentence of the pool.
    assert contents(FactPrompt(FIXED, POOL, 1).messages(SENTENCE)) == [
        "One fox.",
        "- A fox.",
        "The ship of the queen.",
        "- The queen has a ship.",
        SENTENCE,
    ]


def test_without_the_pool_only_the_fixed_ones_are_shown():
    assert contents(FactPrompt(FIXED, POOL, 0).messages(SENTENCE)) == ["One fox.", "- A fox.", SENTENCE]


def test_a_pool_that_is_no_pairs_is_refused():
    with pytest.raises(PromptError, match="turns of user and assistant"):
        FactPrompt(FIXED, parse_template("== user\nOne fox.", "pool"), 1)


def test_what_decides_the_facts_decides_the_hash():
    hashes = [
        FactPrompt(FIXED, POOL, 1).hash("paper"),
        FactPrompt(FIXED, POOL, 2).hash("paper"),
        FactPrompt(FIXED, POOL, 1).hash("released-code"),
        FactPrompt(POOL, POOL, 1).hash("paper"),
    ]
    assert len(set(hashes)) == 4


def test_our_own_templates_are_seven_demonstrations_and_a_pool():
    model = ScriptedModel("- She sang.")
    assert asyncio.run(writer().write(["She sang."], model)) == [("She sang.",)]
    [messages] = model.asked
    assert [message["role"] for message in messages] == ["system", *["user", "assistant"] * 8, "user"]


@pytest.mark.parametrize(("profile", "facts"), [("repaired", 1), ("released-code", 2)])
def test_the_profile_chooses_the_parser(profile, facts):
    model = ScriptedModel("- He played from 1990 - 1995.")
    [found] = asyncio.run(writer(profile=profile).write(["He played from 1990 to 1995."], model))
    assert len(found) == facts


@pytest.mark.parametrize(("profile", "facts"), [("repaired", 2), ("paper", 2), ("released-code", 1)])
def test_facts_with_a_number_that_the_sentence_lacks_are_dropped_as_released(profile, facts):
    model = ScriptedModel("- He played.\n- He scored 41 goals.")
    [found] = asyncio.run(writer(profile=profile).write(["He played."], model))
    assert len(found) == facts


def test_the_published_parser_is_kept_with_its_faults():
    assert read_facts_as_released("Facts:\n- He played 1990 - 1995.\n- He sang") == (
        "He played 1990.",
        "1995.",
        "He sang.",
    )
    assert read_facts_as_released("1. He sang.") == ()
