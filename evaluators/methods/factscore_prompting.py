"""The two ways in which an atomic fact is put to a model (FActScore §4.1 and table 12), with or without a context.

True/false: one call that ends in "True or False?". Question-answer: the fact becomes a question with the answer it
expects, the question is answered without sight of that, and the two answers are compared; three calls.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotate.prompt_sets.templates import read_template
from evaluators.methods.base import RELEASED_CODE, SHARED, Case, Judgement, Parameter, Tools, Unit
from evaluators.methods.deciding import ParsedVerdict, decide
from evaluators.methods.parameters import layout_of
from llm.answer import Answer
from llm.templates import PromptTemplate
from stats.baselines import NOT_SUPPORTED, SUPPORTED

TRUE_FALSE, QUESTION_ANSWER = "true-false", "question-answer"
# As many alternatives as every kind of endpoint gives: more than five are refused by some.
ALTERNATIVES = 5
CALLS_OF_QUESTION = 3
QUESTION = re.compile(r"^\W*question\W*(.+?)\s*^\W*answer\W*(\S.*?)\s*$", flags=re.IGNORECASE | re.MULTILINE)

PROMPTING = (
    Parameter(
        "prompting",
        TRUE_FALSE,
        "How a fact is put to the model: as a statement, or as a question whose answers are compared.",
        choices=(TRUE_FALSE, QUESTION_ANSWER),
        label="Form of the question",
    ),
    Parameter(
        "logprobs",
        True,
        "Whether P(True) is held against P(False) where the endpoint gives log-probabilities; else the text decides.",
        label="Log-probabilities",
    ),
    replace(SHARED["temperature"], released=0.7),
    replace(SHARED["max_tokens"], released=2048),
)


@dataclass(frozen=True)
class FactVerdict:
    """One verdict on a fact, with the model's text and the calls for it."""

    verdict: ParsedVerdict
    answer: str
    calls: tuple[int, ...]


AskFact = Callable[[Tools, Case, Unit, str, int], Awaitable[FactVerdict]]
"""Puts the fact to the model beside a context ("" where there is none), as the n-th sample."""


def build_prompting(parameters: Mapping[str, Any], variant: str) -> AskFact:
    """variant: "no_context", "self_check" or "retrieve", after which the templates are named.

    Raises PromptError where the prompt set lacks a template.
    """
    prompts = parameters["prompts"]
    if parameters["prompting"] == TRUE_FALSE:
        return _true_false(read_template(prompts, f"factscore_{variant}"), parameters)
    return _question_answer(
        read_template(prompts, "factscore_question"),
        read_template(prompts, f"factscore_answer_{variant}"),
        read_template(prompts, "factscore_compare"),
        parameters,
    )


def _true_false(template: PromptTemplate, parameters: Mapping[str, Any]) -> AskFact:
    as_released = layout_of(parameters) == RELEASED_CODE

    async def ask(tools: Tools, case: Case, unit: Unit, context: str, sample: int) -> FactVerdict:
        fact = unit.text.strip() if as_released else unit.text
        messages = template.messages(topic=case.topic, fact=fact, context=context)
        answer = await _ask_true_or_false(tools, messages, sample, parameters)
        return FactVerdict(decide(answer, parameters["profile"]), answer.text, (answer.call_id,))

    return ask


def _question_answer(
    asking: PromptTemplate, answering: PromptTemplate, comparing: PromptTemplate, parameters: Mapping[str, Any]
) -> AskFact:
    async def ask(tools: Tools, case: Case, unit: Unit, context: str, sample: int) -> FactVerdict:
        generated = await tools.ask(asking.messages(topic=case.topic, fact=unit.text), sample)
        match = QUESTION.search(generated.text)
        if match is None:
            return FactVerdict(ParsedVerdict(None), generated.text, (generated.call_id,))
        question, expected = match.groups()
        answered = await tools.ask(answering.messages(question=question, context=context), sample)
        if not answered.text.strip():
            return FactVerdict(ParsedVerdict(None), "", (generated.call_id, answered.call_id))
        messages = comparing.messages(question=question, expected=expected, given=" ".join(answered.text.split()))
        compared = await _ask_true_or_false(tools, messages, sample, parameters)
        answer = f"{question} Expected: {expected}. Given: {' '.join(answered.text.split())}. The same: {compared.text}"
        calls = (generated.call_id, answered.call_id, compared.call_id)
        return FactVerdict(decide(compared, parameters["profile"]), answer, calls)

    return ask


async def _ask_true_or_false(
    tools: Tools, messages: list[dict[str, str]], sample: int, parameters: Mapping[str, Any]
) -> Answer:
    if parameters["logprobs"]:
        return await tools.ask(messages, sample, logprobs=True, top_logprobs=ALTERNATIVES)
    return await tools.ask(messages, sample)


def calls_of_fact(parameters: Mapping[str, Any]) -> int:
    """The largest number of answers for a fact beside one context."""
    samples: int = parameters["samples"]
    return samples if parameters["prompting"] == TRUE_FALSE else CALLS_OF_QUESTION * samples


def count_votes(unit: Unit, votes: Sequence[FactVerdict]) -> Judgement:
    """The majority of the votes that could be read; a tie takes the first of them. None can be read: unparsed.

    The score is the probability of True: that of a single vote where the endpoint gave one, of several votes the share
    that said True.
    """
    calls = tuple(call for vote in votes for call in vote.calls)
    read = [vote for vote in votes if vote.verdict.true is not None]
    if not read:
        return Judgement(unit, None, rationale=votes[0].answer, calls=calls)
    true = sum(vote.verdict.true is True for vote in read)
    supported = read[0].verdict.true if 2 * true == len(read) else 2 * true > len(read)
    value = SUPPORTED if supported else NOT_SUPPORTED
    if len(votes) == 1:
        return Judgement(unit, value, votes[0].verdict.probability, votes[0].answer, calls)
    rationale = f"{true} of {len(read)} say True, {len(votes) - len(read)} not parsed"
    return Judgement(unit, value, true / len(read), rationale, calls)
