"""The grammar of verdicts: whole ones, halves of one, questions, and what makes no difference."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from evaluators.methods.fastfact import read_line
from evaluators.methods.safe import read_relevance, read_verdict
from evaluators.methods.selfcheck_prompt import read_yes
from evaluators.methods.verdicts import SUPPORT, TRUTH, opening, read_numbered, settle, settle_freely
from evaluators.methods.veriscore import read_verdicts
from llm.answer import Answer


def truth(text):
    settled = settle_freely(text, TRUTH)
    return None if settled is None else settled.value


def support(text):
    settled = settle(text, SUPPORT)
    return None if settled is None else settled.value


HALVES = [
    "Partially {}.",
    "Half {}",
    "half-{}",
    "Mostly {}",
    "It is largely {}.",
    "Only partly {}",
    "Not entirely {}.",
    "Not fully {}",
    "It isn't completely {}.",
    "Not quite {}",
    "Somewhat {}",
    "{} in part",
    "{}, but only partially",
    "{} (partly)",
    "{} to some extent.",
    "{} with caveats",
    "{}-ish",
    "Technically {}",
    "Neither {} nor otherwise",
    "Sort of {}",
    "Half of it is {}",
    "Parts of this are {}",
    "It is in part {}",
    "It's partly {} and partly not.",
    "60 % {}",
    "It might be {}.",
    "I cannot say whether it is {}.",
    "There is no evidence that it is {}.",
    "**Mostly {}**",
    "{}. But only partly.",
    "{}. However, only in part.",
    "{}; though not entirely.",
    "{}... partly",
    "{}. Well, mostly.",
    "{}. This is only partially correct.",
    "{}. That said, it is not fully accurate.",
    "{}. But that is not the whole story.",
    "{}. With some reservations, though.",
    "{}. Except for the year.",
    "Mostly. {} in the main.",
    "In part.\n{}",
    "{}, with some reservations",
    "{}, but misleading.",
    "{}, apart from the date.",
    "{} but not in 1815.",
    "{}, in a sense.",
    "{} if he was born in 1815.",
    "Only the date is {}.",
    "The answer is: mostly {}.",
]


@pytest.mark.parametrize("form", HALVES)
def test_half_a_verdict_is_none(form):
    for word in ("true", "False", "TRUE"):
        assert truth(form.format(word)) is None
    for word in ("supported", "Unsupported", "not supported"):
        assert support(form.format(word)) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("True or False? ... False", False),
        ("True/False: true", True),
        ("Is the statement true? No.", False),
        ("Is it false? No, it is not.", True),
        ("Is it true?", None),
        ("True or False", None),
        ("True. And false. Who knows", True),
        ("True in 1815 and false in 1816.", None),
        ("True, although some call it false.", True),
        ("I checked the records.\n\nTrue, although some call it false.", True),
        ("At first sight so this is false. But the records agree.\n\nTrue", True),
        ("True, mostly because the letter says so.", True),
        ("True. The records, mostly letters, say so.", True),
        ("True. Partly for this reason he left.", True),
        ("True. But his brother was not.", True),
        ("True. But only once.", True),
        ("True. Except for Ben, nobody knew.", True),
        ("True. With 50% of the vote she won.", True),
        ("False. But only because of the date.", False),
        ("False. He was only partly educated there.", False),
        ("False, mostly due to the date.", False),
        ("Entirely true", True),
        ("Likely false", False),
        ("Not really true", False),
        ("It is no longer true.", False),
        ("It isn’t false.", True),
    ],
)
def test_truth(text, value):
    assert truth(text) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Supported? No - not supported.", "not_supported"),
        ("supported?  no – not supported", "not_supported"),
        ("Supported or not supported? Supported.", "supported"),
        ("supported, not unsupported", "supported"),
        ("Label: *not_supported*, says the first result.", "not_supported"),
        ("supported and irrelevant", None),
        ("Not irrelevant", None),
        ("The result does not say so.", None),
    ],
)
def test_support(text, value):
    assert support(text) == value


def test_a_text_opens_with_a_verdict_or_not():
    assert opening(": **supported**", SUPPORT).value == "supported"
    assert opening("rests on two results. Supported by both.", SUPPORT) is None


def test_numbered_lines():
    lines = ["Claim 1: supported", "2) partly supported", "３：not supported", "4: supported?  no – not supported"]
    text = "\n".join([*lines, "5: who knows", "Six"])
    said = [(number, mention and mention.value) for number, mention in read_numbered(text, SUPPORT)]
    assert said == [(1, "supported"), (2, None), (3, "not_supported"), (4, "not_supported"), (5, None)]


VERDICTS = some.sampled_from(["True", "False", "Not true", "It is false", "True, although some call it false", "Hm"])
PREAMBLES = some.lists(
    some.sampled_from(["I read the passages.", "Here is my verdict:", "Sure!", "Step 1. He was born there.", "Hm…"])
).map(lambda lines: "".join(f"{line}\n" for line in lines))


@given(PREAMBLES, VERDICTS)
def test_a_preamble_makes_no_difference(preamble, verdict):
    assert truth(preamble + verdict) is truth(verdict)


QUALIFIERS = some.sampled_from(["partially", "partly", "half", "mostly", "not entirely", "not fully", "only"])


@given(PREAMBLES, QUALIFIERS, some.sampled_from(["", "It is ", "Answer: ", "The statement is "]), some.booleans())
def test_a_qualifier_always_leaves_none(preamble, qualifier, lead, value):
    assert truth(f"{preamble}{lead}{qualifier} {value}") is None


DRESSES = ["{}", "{}.", "**{}**", "*{}*.", "“{}”", '"{}."', "`{}`", "'{}'", "__{}__", "  {}\n", "{}!"]


@given(VERDICTS, some.sampled_from(DRESSES), some.sampled_from([str.upper, str.lower, str.title, str]))
def test_case_emphasis_quotes_and_the_last_mark_make_no_difference(verdict, dress, case):
    assert truth(dress.format(case(verdict))) is truth(verdict)


def test_each_method_reads_halves_as_none():
    def said(text):
        return Answer(1, text, "stop")

    assert read_verdict(said("Verdict: partially supported")) is None
    assert read_verdict(said("Verdict: supported? No - not supported.")) == "not_supported"
    assert read_verdict(said("Verdict: supported. It was a clear verdict.")) == "supported"
    assert read_relevance(said("Mostly relevant")) is None
    assert read_relevance(said("Not relevant.")) is False
    assert read_verdicts(said("1: supported\n2: partly supported\n3. Supported? No."), 3) == {
        1: "supported",
        3: "not_supported",
    }
    assert read_line("1. Ada sang. | mostly true 90", (0,), 1) is None
    assert [read_yes(text, "repaired") for text in ("Yes, partly.", "Mostly yes", "Yes.", "No")] == [
        None,
        None,
        True,
        False,
    ]
