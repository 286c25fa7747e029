"""The score of a segment from the log-probabilities of a single answer."""

from math import log

import pytest

from evaluators.methods.felm_votes import chance_unnamed
from llm.answer import Answer, Token
from tests.evaluators.methods.cases import make_case
from tests.evaluators.methods.felm_model import FelmModel, judge, values


def token(text, **chances):
    """A token with the probabilities of what could have stood in its place; ids begin with an underscore here."""
    said = {name.lstrip("_"): log(chance) for name, chance in chances.items()}
    top = {text if name == text.strip() else name: logprob for name, logprob in said.items()}
    return Token(text, top.get(text, log(0.99)), top)


def answer(*tokens):
    return Answer(500, "".join(one.text for one in tokens), "stop", tokens)


TWO_IDS = answer(
    token("Answer"), token(":"), token(" 2", _2=0.7, _1=0.2, ALL=0.1), token(","), token("3", _3=0.6, _4=0.3)
)


@pytest.mark.parametrize(
    ("places", "chance"),
    [
        ({0}, 0.8),  # 1 - 0.2, then not offered
        ({1}, 0.3),
        ({2}, 0.4),
        ({3}, 0.7),
        ({4}, 1.0),
        ({0, 1}, 0.1),  # of a segment with two claims: neither is named
        ({0, 3}, 0.8 * 0.7),
    ],
)
def test_the_chance_that_no_line_of_a_segment_is_named(places, chance):
    assert chance_unnamed(TWO_IDS, places, 5) == pytest.approx(chance)


def test_spellings_of_an_id_are_summed():
    said = answer(Token(" 1", log(0.5), {" 1": log(0.5), "1": log(0.25), " 2": log(0.25)}))

    assert chance_unnamed(said, {0}, 5) == pytest.approx(0.25)


def test_all_correct_is_a_place_where_an_id_could_have_stood():
    said = answer(token("ALL", ALL=0.9, _1=0.1), token("_COR"), token("RECT"))

    assert chance_unnamed(said, {0}, 5) == pytest.approx(0.9)
    assert chance_unnamed(said, {1}, 5) == 1.0


def test_numbers_of_a_thought_do_not_count():
    said = answer(token("Thought: "), token("1", _1=1.0), token(" is right. "), token("Answer:"), token(" 2", _2=1.0))

    assert chance_unnamed(said, {0}, 5) == 1.0


def test_there_is_none_without_log_probabilities_nor_for_ids_of_several_digits():
    assert chance_unnamed(Answer(1, "Answer: 2", "stop"), {1}, 5) is None
    assert chance_unnamed(TWO_IDS, {1}, 10) is None


class ProbableModel(FelmModel):
    """Gives log-probabilities where they are asked for, and keeps what was."""

    async def ask(self, messages, sample=0, **overrides):
        self.overrides.append(overrides)
        return TWO_IDS if overrides.get("logprobs") else await super().ask(messages, sample, **overrides)


def test_log_probabilities_give_scores_when_asked_for():
    case, model = make_case(segments=["A.", "B.", "C."]), ProbableModel("Answer: 2,3")

    scored, plain = judge("felm-segment", model, case, logprobs=True), judge("felm-segment", model, case)

    assert values(scored) == values(plain) == ["supported", "not_supported", "not_supported"]
    assert [outcome.score for outcome in scored] == pytest.approx([0.8, 0.3, 0.4])
    assert [outcome.score for outcome in plain] == [None] * 3
    assert model.overrides == [{"logprobs": True, "top_logprobs": 5}, {}]
