"""The prompt that breaks a sentence into facts, and what is read from the answers."""

import asyncio

import pytest

from evaluators.fact_generation.released_facts import read_facts_as_released
from evaluators.fact_generation.writer import FactPrompt, FactWriter
from evaluators.methods import METHODS
from evaluators.methods.factscore_facts import NEAREST_LAST, RELEASED
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
AGAIN = parse_template("== user\nOnce more.", "again")
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
        FactPrompt(FIXED, POOL, 1).hash("paper", AGAIN),
        FactPrompt(FIXED, POOL, 2).hash("paper", AGAIN),
        FactPrompt(FIXED, POOL, 1).hash("released-code", AGAIN),
        FactPrompt(POOL, POOL, 1).hash("paper", AGAIN),
        FactPrompt(FIXED, POOL, 1).hash("paper", POOL),
        FactPrompt(FIXED, POOL, 1, RELEASED).hash("paper", AGAIN),
    ]
    assert len(set(hashes)) == 6


def test_in_the_released_order_every_word_counts_as_it_stands_and_the_fixed_ones_are_of_the_pool():
    # Okapi over white-space pieces: "One" of the sentence stands only in the fixed demonstration, which so comes twice.
    # By content words ("a" and "one" are none) it is "The ship of the queen.", the only one with "ship".
    sentence = "One ship, said a Queen"
    nearest = [
        FactPrompt(FIXED, POOL, 1, order).messages(sentence)[-3]["content"] for order in (RELEASED, NEAREST_LAST)
    ]
    assert nearest == ["One fox.", "The ship of the queen."]


def test_in_the_released_order_the_last_of_those_alike_is_taken_and_wording_around_a_sentence_does_not_count():
    # No word of the sentence stands in a demonstration, only those of the template around it do: all score 0.
    fixed = parse_template(
        "== user\nTake apart: One fox.\n== assistant\n- A fox.\n== user\nTake apart: $sentence", "fixed"
    )
    *_, question, _, last = contents(FactPrompt(fixed, POOL, 1, RELEASED).messages("Take apart"))
    assert (question, last) == ("The ship of the queen.", "Take apart: Take apart")


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


@pytest.mark.parametrize(
    ("answer", "facts"),
    [
        ("Facts:\n- He played 1990 - 1995.\n- He sang", ("He played 1990", "1995.", "He sang.")),
        ("- Ada is old\n- Bo is young", ("Ada is old", "Bo is young.")),
        ("- Ada?", ("Ada?.",)),
        ("- Ada\n\n- Bo!\n\nThat is all.", ("Ada", "Bo!\n\nThat is all.")),
        ("1. Ada sang.", ()),
        ("* Ada\n-Bo\n– Cy", ()),
        ("", ()),
    ],
)
def test_the_published_parser_is_kept_with_its_faults(answer, facts):
    assert read_facts_as_released(answer) == facts


def test_as_released_an_answer_that_was_cut_off_is_read_and_more_is_drawn():
    model = ScriptedModel("- She sang.\n- She da", finish_reason="length")
    facts = asyncio.run(writer(profile="released-code").write(["She sang and danced."], model))
    assert facts == [("She sang.", "She da.")]


def test_sentences_that_say_that_they_state_nothing_get_no_facts_as_released():
    sentences = ["Here are two dogs.", "Bo sat.", "Surely she sang.", "Here are two cats."]
    facts = asyncio.run(writer(profile="released-code").write(sentences, ScriptedModel("- It is so.")))
    assert facts == [(), ("It is so.",), (), ("It is so.",)]
