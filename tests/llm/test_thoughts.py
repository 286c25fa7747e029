"""An answer apart from the thought, in every form in which servers pass a thought on."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from llm.answer import Token
from llm.thoughts import take_apart, tokens_said

WRAPPINGS = {
    "think": "<think>{thought}</think>\n\n{answer}",
    "upper case": "<THINKING>\n{thought}\n</THINKING>\n{answer}",
    "thought": "<thought>{thought}</thought>{answer}",
    "reasoning": "<reasoning>{thought}</reasoning>\n{answer}",
    "analysis": "<analysis>{thought}</analysis>\n<answer>{answer}</answer>",
    "process": "<thought_process>{thought}</thought_process> {answer}",
    "name of a model": "<longcat_think>{thought}</longcat_think>\n{answer}",
    "name and number": "<think_never_used_51bce0c7>{thought}</think_never_used_51bce0c7>{answer}",
    "monologue": "<inner_monologue>{thought}</inner_monologue>{answer}",
    "in brackets": "[Thinking]{thought}[/Thinking]{answer}",
    "escaped": "&lt;think&gt;{thought}&lt;/think&gt;\n{answer}",
    "attributes": '<think time="3">{thought}</think>{answer}',
    "name space": "<seed:think>{thought}</seed:think>{answer}<seed:eos>",
    "no opening tag": "{thought}\n</think>\n\n{answer}",
    "twice": "<think>{thought}</think><think>{thought}</think>{answer}",
    "within itself": "<think>{thought} <think> {thought}</think> {thought}</think>{answer}",
    "after the answer": "{answer}<think>{thought}</think>",
    "closed again": "<think>{thought}</think>{answer}</think>",
    "in answer tags": "<think>{thought}</think>\n<answer>{answer}</answer>",
    "Mistral": "[THINK]{thought}[/THINK]{answer}</s>",
    "Kimi": "◁think▷{thought}◁/think▷{answer}",
    "Gemma": "<|channel>thought\n{thought}<channel|>{answer}<turn|>",
    "MedGemma": "<unused94>thought\n{thought}<unused95>{answer}",
    "Sky": "<|begin_of_thought|>{thought}<|end_of_thought|>\n<|begin_of_solution|>{answer}<|end_of_solution|>",
    "Command": "<|START_THINKING|>{thought}<|END_THINKING|><|START_RESPONSE|>{answer}<|END_RESPONSE|>",
    "Harmony": "<|channel|>analysis<|message|>{thought}<|end|><|start|>assistant<|channel|>final<|message|>"
    "{answer}<|return|>",
    "Harmony in JSON": "<|channel|>analysis<|message|>{thought}<|end|><|start|>assistant<|channel|>final "
    "<|constrain|>json<|message|>{answer}<|end|>",
    "Harmony after its prompt": "analysis<|message|>{thought}<|end|><|start|>assistant<|channel|>commentary<|message|>"
    "{thought}<|end|><|start|>assistant<|channel|>final<|message|>{answer}",
    "Harmony without marks": "analysis{thought}assistantfinal{answer}",
    "Granite": "Here is my thought process:\n\n{thought}\n\nHere is my response:\n\n{answer}",
}
ENDED = (
    "</s>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|end|>",
    "<|endoftext|>",
    "<end_of_turn>",
    "<｜end▁of▁sentence｜>",
    "<eos>",
)
OPENED = (
    "<think>",
    "<Thinking>\n",
    "[THINK]",
    "◁think▷",
    "<|channel>thought\n",
    "<|channel|>analysis<|message|>",
    "analysis",
)

SAID = ("True", "- Ada was born in London.\n- She wrote.", "Answer: 1, 2", "[1] a < b", "`<think>` is a tag.")
words = st.text("abc \n.,-1<[]|>/", max_size=30)


def said(raw):
    return take_apart(raw).text(raw)


@pytest.mark.parametrize("form", WRAPPINGS)
@pytest.mark.parametrize("answer", SAID)
def test_what_was_said_is_apart_from_what_was_thought(form, answer):
    raw = WRAPPINGS[form].format(thought="At first sight that is false.", answer=answer)

    apart = take_apart(raw)

    assert apart.text(raw) == answer
    assert "At first sight that is false." in apart.thought_in(raw)
    assert not apart.is_cut_off


@pytest.mark.parametrize("opening", OPENED)
def test_a_thought_without_an_end_is_cut_off(opening):
    raw = f"{opening}So that is false. It is true that"

    apart = take_apart(raw)

    assert (apart.text(raw), apart.is_cut_off) == ("", True)
    assert "is false" in apart.thought_in(raw)


@pytest.mark.parametrize("token", ENDED)
def test_tokens_that_end_a_turn_are_no_part_of_an_answer(token):
    assert said(f"True.{token}") == "True."
    assert said(f"<think>no</think>True.{token}\n") == "True."


def test_what_follows_the_end_of_a_turn_is_no_part_of_an_answer():
    assert said("True<|im_end|>\n<|im_start|>user\nAnd is this false?") == "True"
    assert said("<|im_start|>assistant\nTrue") == "True"


@pytest.mark.parametrize(
    "text",
    ["", " True\n", "a < b > c", "[1, 2]", "<b>True</b>", "Analysis: true.", "x <thinks> y", "I think </thin> so"],
)
def test_an_answer_without_a_thought_stays_as_it_is(text):
    assert said(text) == text
    assert not take_apart(text).is_cut_off


@given(st.text())
@example("<think></think>")
@example("</think>")
@example("<|channel|>final<|message|>")
def test_whatever_was_said_stands_in_the_raw_text_in_its_order(raw):
    apart = take_apart(raw)
    places = [place for span in apart.said for place in span]

    assert places == sorted(places)
    assert all(0 <= place <= len(raw) for place in places)


@given(words, words)
def test_nothing_of_a_closed_thought_is_said(thought, answer):
    raw = f"<think>{thought.replace('<', '')}SECRET</think>{answer}"

    assert "SECRET" not in said(raw)
    assert said(raw).strip() == answer.strip()


@given(st.lists(st.text("ab <>/think\n|", min_size=1, max_size=6), max_size=12))
@example(["<think>", "no", "</think>", "\n\nTr", "ue"])
@example(["<", "think", ">no</", "think", ">\n\nTrue", "</s>"])
def test_the_tokens_of_an_answer_are_its_text(pieces):
    raw = "".join(pieces)

    kept = tokens_said([Token(piece, -0.5, {}) for piece in pieces], raw, said(raw))

    assert "".join(token.text for token in kept) == said(raw)


def test_tokens_of_a_thought_that_came_beside_the_answer_are_dropped():
    tokens = [Token(text, -0.5, {}) for text in ("so", " false", "</think>", "\n\n", "True", "<|im_end|>")]

    assert [token.text for token in tokens_said(tokens, "True", "True")] == ["True"]


def test_tokens_that_cannot_be_laid_over_the_answer_are_none():
    tokens = [Token(text, -0.5, {}) for text in ("so", "</think>", "bytes:\\xe2", "True")]

    assert tokens_said(tokens, "so</think>√True", "√True") == ()
