"""A panel of judges: votes, ties and the calls that are saved, worked by hand."""

import pytest

from evaluators.methods import METHODS
from evaluators.methods.parameters import ParameterError, check_other_models, other_models, split_model
from llm.answer import Answer
from tests.evaluators.methods.cases import ScriptedModel, make_case
from tests.evaluators.methods.felm_model import judge as judge_by

OTHERS = "bea, lab::cy, dan, eve"


class Judges(ScriptedModel):
    """Each model gives its own answers, sample by sample: those of "" are the run's."""

    def __init__(self, **answers):
        super().__init__("")
        self.answers = {"" if name == "own" else name: said for name, said in answers.items()}
        self.order = []

    async def ask(self, messages, sample=0, *, model="", **overrides):
        self.asked.append(messages)
        self.order.append(model)
        said = self.answers[model.removeprefix("lab::")]
        return Answer(500 + len(self.order), said[sample % len(said)], "stop")


def judge(judges, others="bea, lab::cy", segments=("Ada sang.",), **parameters):
    return judge_by("panel", judges, make_case(segments=list(segments)), other_models=others, **parameters)


def test_two_that_agree_decide_and_the_third_call_is_saved():
    judges = Judges(own=["True"], bea=["True"], cy=["False"])
    [said] = judge(judges)
    assert (said.value, said.score, said.calls) == ("supported", 1.0, (501, 502))
    assert said.rationale == "True: the run's model, bea; 1 call saved"
    assert judges.order == ["", "bea"]


def test_two_that_do_not_agree_need_the_third():
    judges = Judges(own=["True"], bea=["False"], cy=["False"])
    [said] = judge(judges)
    assert (said.value, said.score) == ("not_supported", pytest.approx(1 / 3))
    assert said.rationale == "True: the run's model; False: bea, cy"
    assert judges.order == ["", "bea", "lab::cy"]


def test_every_model_is_asked_where_the_whole_panel_is_wanted():
    judges = Judges(own=["True"], bea=["True"], cy=["False"])
    [said] = judge(judges, ask_all=True)
    assert (said.value, said.score, len(judges.order)) == ("supported", pytest.approx(2 / 3), 3)
    assert "saved" not in said.rationale


@pytest.mark.parametrize(
    ("votes", "asked", "value", "score"),
    [
        ("TTT..", 3, "supported", 1.0),
        ("TFTT.", 4, "supported", 0.75),
        ("TFTFF", 5, "not_supported", 0.4),
        ("?TTT.", 4, "supported", 1.0),  # 3 to 0 with one to come
        ("??FF.", 4, "not_supported", 0.0),
        ("???FF", 5, "not_supported", 0.0),
        ("?????", 5, None, None),
    ],
)
def test_five_judges(votes, asked, value, score):
    """The vote "." is never asked: it would answer True."""
    said_by = {"T": ["True"], "F": ["False"], "?": ["Hm."], ".": ["True"]}
    judges = Judges(
        **{name: said_by[vote] for name, vote in zip(("own", "bea", "cy", "dan", "eve"), votes, strict=True)}
    )
    [said] = judge(judges, OTHERS)
    assert (said.value, len(judges.order)) == (value, asked)
    assert said.score == (None if score is None else pytest.approx(score))


@pytest.mark.parametrize(
    ("votes", "tie", "asked", "value"),
    [
        ("TF", "none", 2, None),
        ("FT", "first", 1, "not_supported"),  # the second could only draw level
        ("?T", "first", 2, "supported"),
        ("TTFF", "none", 4, None),
        ("TTFF", "first", 2, "supported"),
        ("TFFT", "first", 4, "supported"),
        ("FTTF", "first", 4, "not_supported"),
        ("TFFF", "first", 4, "not_supported"),
    ],
)
def test_as_many_true_as_false(votes, tie, asked, value):
    said_by = {"T": ["True"], "F": ["False"], "?": ["Hm."]}
    names = ("own", "bea", "cy", "dan")[: len(votes)]
    judges = Judges(**{name: said_by[vote] for name, vote in zip(names, votes, strict=True)})
    [said] = judge(judges, ", ".join(names[1:]), tie=tie)
    assert (said.value, len(judges.order)) == (value, asked)
    assert (said.score is None) == (value is None)


def test_a_judge_has_one_vote_however_often_it_is_asked():
    judges = Judges(own=["True", "True", "False"], bea=["False"], cy=["True", "False", "Hm."])
    [said] = judge(judges, samples=3, temperature=1)
    # cy's samples draw level, and its first says True.
    assert (said.value, said.rationale) == ("supported", "True: the run's model, cy; False: bea")
    assert len(said.calls) == 9
    [said] = judge(Judges(own=["True"], bea=["True"], cy=["True"]), samples=3, temperature=1)
    assert said.rationale.endswith("; 3 calls saved")


def test_all_are_asked_the_same_about_a_fact():
    case = make_case(facts=[["Ada was born in 1815."], []])
    judges = Judges(own=["True"], bea=["False"], cy=["True"])
    [said] = judge_by("panel", judges, case, other_models="bea, lab::cy")
    assert said.unit == case.units[0]
    assert judges.asked[0] == judges.asked[1] == judges.asked[2]
    assert judges.asked[0][-1]["content"].endswith(
        f"Question: {case.prompt}\n\nAnswer given: {case.response}\n\nStatement: Ada was born in 1815.\nTrue or False?"
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [("", ()), (" ", ()), ("m", ("m",)), ("m, lab::n ,llama3:8b", ("m", "lab::n", "llama3:8b"))],
)
def test_the_names_of_other_models(text, names):
    assert other_models({"other_models": text}) == names
    assert other_models({}) == ()


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("m,", "one of its names is empty"),
        ("lab::", "one of its names is empty"),
        ("m,n,m", "names m twice"),
        (",".join("abcdefghi"), "names 9 models; it takes 8 at most"),
    ],
)
def test_names_that_cannot_be(text, cause):
    with pytest.raises(ParameterError, match=cause):
        other_models({"other_models": text})


def test_a_panel_of_one_is_none():
    with pytest.raises(ParameterError, match="panel needs other_models: name at least one model"):
        check_other_models(METHODS["panel"], {"other_models": ""})
    check_other_models(METHODS["felm-segment"], {})


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("m", ("own", "m")),
        ("llama3:8b", ("own", "llama3:8b")),
        ("lab::llama3:8b", ("lab", "llama3:8b")),
        ("http://[::1]:80/v1::m", ("http://[::1]:80/v1", "m")),
    ],
)
def test_a_model_at_another_endpoint(name, found):
    assert split_model(name, "own") == found
