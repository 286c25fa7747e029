"""SelfCheckGPT by prompts: Yes, No and answers that cannot be read, averaged by hand."""

from dataclasses import replace

import pytest

from evaluators.methods.selfcheck_prompt import read_yes
from tests.evaluators.methods.cases import ScriptedModel, make_case
from tests.evaluators.methods.felm_model import judge as judge_by

SAMPLES = ("She was born in 1815.", "Born in 1816.", "Nobody knows.")


class ByText(ScriptedModel):
    """Gives the answer of the first key that its prompt contains."""

    def __init__(self, answers):
        super().__init__("")
        self.answers = answers

    async def ask(self, messages, sample=0, **overrides):
        self.texts = [next(said for text, said in self.answers.items() if text in messages[-1]["content"])]
        return await super().ask(messages, sample, **overrides)


def judge(*answers, samples=SAMPLES, segments=("Ada was born in 1815.",), **parameters):
    case = replace(make_case(segments=list(segments)), samples=tuple(samples))
    model = ByText(dict(zip(samples, answers, strict=False)))
    return judge_by("selfcheck-prompt", model, case, **parameters), model


@pytest.mark.parametrize(
    ("answers", "score", "value"),
    [
        (("Yes", "Yes", "Yes"), 1.0, "supported"),
        (("Yes", "No", "No"), 1 / 3, "not_supported"),
        (("Yes", "No", "I cannot say."), 0.5, "supported"),
        (("No", "I cannot say.", "I cannot say."), 1 / 3, "not_supported"),
    ],
)
def test_the_score_is_one_less_the_mean_inconsistency(answers, score, value):
    [said], _ = judge(*answers)
    assert (said.score, said.value) == (pytest.approx(score), value)


def test_it_says_how_they_answered_and_keeps_every_call():
    [said], model = judge("Yes", "No", "Perhaps.")
    assert said.rationale == "1 Yes, 1 No, 1 not parsed"
    assert len(said.calls) == len(model.asked) == 3


def test_where_no_answer_can_be_read_it_is_unparsed():
    [said], _ = judge("Perhaps.", "Perhaps.", "Perhaps.")
    assert (said.value, said.score, said.rationale) == (None, None, "0 Yes, 0 No, 3 not parsed: Perhaps.")


def test_each_other_answer_stands_beside_the_unit():
    _, model = judge("Yes", "Yes", "Yes", samples=("One.", " ", "Two."))
    assert [asked[-1]["content"].partition("Text:\n")[2] for asked in model.asked] == [
        "One.\n\nStatement: Ada was born in 1815.\nYes or No?",
        "Two.\n\nStatement: Ada was born in 1815.\nYes or No?",
    ]


def test_several_samples_are_averaged_too():
    case = replace(make_case(segments=["Ada sang."]), samples=("One.",))
    model = ScriptedModel("Yes", "No", "Yes", "Yes")
    [said] = judge_by("selfcheck-prompt", model, case, samples=4, temperature=1)
    assert (said.score, said.calls) == (0.75, (500, 501, 502, 503))


@pytest.mark.parametrize("samples", [(), (" ", "")])
def test_without_another_answer_nothing_is_asked(samples):
    outcomes, model = judge(samples=samples)
    assert ([outcome.reason for outcome in outcomes], model.asked) == (["no other sample"], [])


@pytest.mark.parametrize(
    ("text", "repaired", "paper"),
    [
        ("Yes", True, True),
        (" no.\n", False, False),
        ("**Yes**, it is.", True, None),
        ("The answer is: No", False, None),
        ("The text has another year, so my answer is no.", False, None),
        ("Yes or No?", None, None),
        ("There is no mention of it.", None, None),
        ("Nothing says so", None, None),
        ("", None, None),
    ],
)
def test_reading_an_answer(text, repaired, paper):
    assert read_yes(text, "repaired") is repaired
    assert read_yes(text, "paper") is read_yes(text, "released-code") is paper


def test_of_an_answer_that_was_cut_off_only_the_word_with_which_it_opens_counts():
    assert read_yes("Yes, because the text", "repaired", cut_off=True) is True
    said = "He was in Rome. So I would say that the verdict on this is no"
    assert [read_yes(said, "repaired", cut_off=cut_off) for cut_off in (False, True)] == [False, None]
