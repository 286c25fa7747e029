"""FActScore's evaluators that prompt a model: what they ask, and what they make of the answers."""

import asyncio
import math
from dataclasses import replace

import pytest

from evaluators.methods import METHODS
from evaluators.methods.base import EvidencePassage, Judgement, Skip
from evaluators.methods.factscore_passages import nearest, show
from evaluators.methods.factscore_retrieve_np import combine
from evaluators.methods.parameters import read_parameters
from llm.answer import Answer, Token
from tests.evaluators.methods.cases import ScriptedModel, make_case

CASE = make_case(facts=[["Ada was born in 1815."]])
TWO_FACTS = make_case(facts=[["Ada was born in 1815."], ["She drew."]])
CHECKED = replace(CASE, samples=("Ada, born in 1815, wrote.", "Ada was born in 1816.", "Ada wrote."))
PAGE = [EvidencePassage("Ada Lovelace", "She was born in 1815."), EvidencePassage("Ada Lovelace", "She liked horses.")]
UNIT = CASE.units[0]


class Telling(ScriptedModel):
    """Answers by the first key that stands in the last message, and embeds by the words a text holds."""

    def __init__(self, answers, **options):
        super().__init__("", **options)
        self.answers = answers
        self.overrides = []
        self.searched = []

    async def ask(self, messages, sample=0, **overrides):
        self.asked.append(messages)
        self.overrides.append(overrides)
        text = next((said for key, said in self.answers.items() if key in messages[-1]["content"]), "")
        return Answer(500 + len(self.asked), text, "stop")

    async def embed(self, texts):
        return [[float("horses" in text), float("born" in text)] for text in texts]

    async def search(self, topic, query, k):
        self.searched.append((topic, query, k))
        return await super().search(topic, query, k)


def judge(name, model, case=CASE, **parameters):
    method = METHODS[f"factscore-{name}"]
    return asyncio.run(method.build(read_parameters(method, parameters))(case, model))


def prompts(model):
    return [messages[-1]["content"] for messages in model.asked]


def test_without_context_the_fact_is_put_by_itself():
    model = ScriptedModel("True")

    [said] = judge("no-context", model)

    [prompt] = prompts(model)
    assert prompt.endswith("Statement: Ada was born in 1815.\nTrue or False?")
    assert "about Ada Lovelace" in prompt
    assert said == Judgement(UNIT, "supported", None, "True", (500,))


def test_an_answer_that_cannot_be_read_is_unparsed():
    assert judge("no-context", ScriptedModel("Perhaps.")) == [Judgement(UNIT, None, None, "Perhaps.", (500,))]


def test_the_score_is_the_probability():
    class Sure(ScriptedModel):
        async def ask(self, messages, sample=0, **overrides):
            assert overrides == {"logprobs": True, "top_logprobs": 5}
            spellings = {"True": math.log(0.9), "False": math.log(0.1)}
            return Answer(7, "True", "stop", (Token("True", math.log(0.9), spellings),))

    [said] = judge("no-context", Sure())
    assert (said.value, said.score) == ("supported", pytest.approx(0.9))


def test_log_probabilities_may_be_left_alone():
    model = Telling({"born": "True"})
    judge("no-context", model, logprobs="false")
    assert model.overrides == [{}]


def test_several_answers_are_put_to_the_vote():
    [said] = judge("no-context", ScriptedModel("True", "False", "Perhaps."), samples=3)
    # One each of those that could be read: the first of them decides, half said True.
    assert (said.value, said.score, said.rationale) == ("supported", 0.5, "1 of 2 say True, 1 not parsed")
    assert said.calls == (500, 501, 502)


def test_self_check_asks_beside_each_other_sample_and_takes_the_majority():
    model = Telling({"born in 1815, wrote": "True", "1816": "False", "Ada wrote.": "False"})

    [said] = judge("self-check", model, CHECKED)

    assert ["Text:\nAda was born in 1816." in prompt for prompt in prompts(model)] == [False, True, False]
    assert (said.value, said.score) == ("not_supported", pytest.approx(1 / 3))
    assert len(said.calls) == 3


def test_without_other_samples_there_is_nothing_to_check_against():
    assert judge("self-check", ScriptedModel("True")) == [Skip(UNIT, "no other sample")]


def test_retrieval_shows_the_passages_of_the_topics_page():
    model = Telling({"born in 1815": "True"}, passages={"Ada Lovelace": PAGE})

    [said] = judge("retrieve", model)

    assert model.searched == [("Ada Lovelace", "Ada was born in 1815.", 5)]
    assert (
        "Title: Ada Lovelace\nText: She was born in 1815.\n\nTitle: Ada Lovelace\nText: She liked" in prompts(model)[0]
    )
    assert said.value == "supported"


def test_a_topic_without_a_page_is_left_out():
    assert judge("retrieve", ScriptedModel("True")) == [Skip(UNIT, "no page of the topic")]


def test_dense_retrieval_takes_the_nearest_passages_of_the_page():
    model = Telling({"horses": "True"}, passages={"Ada Lovelace": PAGE})
    case = make_case(facts=[["Ada was born in 1815.", "She had horses."]])

    judge("retrieve", model, case, retrieval="dense", passages=1)

    shown = ["She was born in 1815." in prompt for prompt in prompts(model)]
    assert shown == [True, False]
    assert all(search == ("Ada Lovelace", "Ada Lovelace", 1000) for search in model.searched)


def test_the_nearest_vectors_are_those_at_the_smallest_angle():
    # Cosines with (1, 1): 1/√2, 1 (twice as long, the same direction), 0 (no direction), 1/√2.
    assert nearest([1, 1], [[1, 0], [2, 2], [0, 0], [0, 1]], 3) == [1, 0, 3]


def test_a_question_is_asked_and_answered_before_the_answers_are_compared():
    model = Telling(
        {
            "First answer": "True",
            "Statement: Ada was born": "Question: When was Ada Lovelace born?\nAnswer: 1815",
            "Question: When": "in 1815",
        }
    )

    [said] = judge("no-context", model, prompting="question-answer")

    _, answering, comparing = prompts(model)
    assert "1815" not in answering
    assert "First answer: 1815\nSecond answer: in 1815" in comparing
    assert said.value == "supported"
    assert said.calls == (501, 502, 503)


def test_the_question_is_answered_by_the_passages():
    model = Telling({"Statement: Ada": "Question: When was she born?\nAnswer: 1815"}, passages={"Ada Lovelace": PAGE})
    judge("retrieve", model, prompting="question-answer")
    assert "Text: She was born in 1815." in prompts(model)[1]


def test_without_a_question_that_can_be_read_nothing_more_is_asked():
    model = Telling({"Statement": "When?"})
    [said] = judge("no-context", model, prompting="question-answer")
    assert (said.value, said.rationale, len(model.asked)) == (None, "When?", 1)


def test_a_response_that_abstains_is_not_judged():
    model = ScriptedModel("True")
    away = replace(TWO_FACTS, response="I'm sorry, I have no information.")
    assert judge("no-context", model, away) == [Skip(unit, "abstained") for unit in away.units]
    assert not model.asked
    assert judge("no-context", model, away, abstain_apology="false")[0].value == "supported"


@pytest.mark.parametrize(
    ("one", "other", "both", "score"),
    [
        (("supported", 0.9), ("supported", 0.4), "supported", 0.4),
        (("supported", 0.9), ("not_supported", 0.2), "not_supported", 0.2),
        (("supported", None), ("supported", 0.4), "supported", None),
        (("supported", 0.9), (None, None), None, None),
        (("not_supported", 0.3), (None, None), "not_supported", None),
    ],
)
def test_supported_by_both(one, other, both, score):
    said = combine(Judgement(UNIT, *one, "a", (1,)), Judgement(UNIT, *other, "b", (2,)))
    assert said == Judgement(UNIT, both, score, "a | b", (1, 2))


def test_what_either_of_two_skips_is_skipped():
    skip = Skip(UNIT, "no page of the topic")
    assert combine(Judgement(UNIT, "supported"), skip) == combine(skip, Judgement(UNIT, "supported")) == skip


RELEASED = {"profile": "released-code", "retrieval": "bm25"}


def test_as_released_passages_are_ranked_by_okapi_and_the_best_stands_last():
    page = [
        EvidencePassage("Ada Lovelace", text)
        for text in ("She liked horses ", "born. In 1815 was she.", "It was a dog", "He was born here", "No cat!")
    ]
    case = make_case(facts=[["It was dog born. "]])
    model = Telling({"Statement": "True"}, passages={"Ada Lovelace": page})

    judge("retrieve", model, case, passages=2, **RELEASED)

    # Words are those between white space, so "born." is in the second alone, which has "was" too. The third has "It"
    # and "was", and "dog": two rare words, and the best. A full stop ends it as no other sign does.
    assert (
        "Title: Ada Lovelace\nText: born. In 1815 was she.\n\nTitle: Ada Lovelace\nText: It was a dog.\n\nStatement: "
        "It was dog born.\nTrue" in prompts(model)[0]
    )
    assert model.searched == [("Ada Lovelace", "Ada Lovelace", 1000)]


def test_as_released_a_sign_at_the_end_of_the_passages_is_let_be():
    page = [EvidencePassage("Ada Lovelace", "She sang!"), EvidencePassage("Ada Lovelace", "A cat ")]
    assert show(page, "released-code") == "Title: Ada Lovelace\nText: A cat \n\nTitle: Ada Lovelace\nText: She sang!"
    assert show(page[::-1], "released-code").endswith("Text: She sang!\n\nTitle: Ada Lovelace\nText: A cat.")
    assert show(page, "repaired") == "Title: Ada Lovelace\nText: She sang!\n\nTitle: Ada Lovelace\nText: A cat "


def test_as_released_the_topic_is_embedded_with_the_fact_and_no_full_stop_follows_a_title():
    embedded = []

    class Embedding(Telling):
        async def embed(self, texts):
            embedded.extend(texts)
            return await super().embed(texts)

    model = Embedding({"born": "True"}, passages={"Ada Lovelace": PAGE[:1]})
    judge("retrieve", model, profile="released-code", retrieval="dense")
    assert embedded == ["Ada Lovelace She was born in 1815.", "Ada Lovelace Ada was born in 1815."]


def test_what_the_published_code_asks_with_is_the_default_of_its_profile():
    values = read_parameters(METHODS["factscore-retrieve"], {"profile": "released-code"})
    asked = {name: values[name] for name in ("temperature", "max_tokens", "retrieval", "passages")}
    assert asked == {"temperature": 0.7, "max_tokens": 2048, "retrieval": "dense-local", "passages": 5}
    assert read_parameters(METHODS["factscore-retrieve"], {})["temperature"] == 0
