"""SelfCheckGPT by prompts (Manakul et al. 2023, §5.5): a model says of each other answer whether it supports the
unit."""

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from annotate.prompt_sets.templates import read_template
from evaluators.methods.base import RELEASED_CODE, Case, Judge, Judgement, Method, Outcome, Parameter, Tools, Unit
from evaluators.methods.selfcheck_samples import decide, other_answers, unless_alone
from evaluators.methods.verdicts import YES_NO, settle
from llm.answer import CUT_OFF

PROMPT = "selfcheck_prompt"
UNDECIDED = 0.5  # how inconsistent an answer is that cannot be read
WHOLE = re.compile(r"\s*(yes|no)\.?\s*", flags=re.IGNORECASE)


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks the template."""
    template = read_template(parameters["prompts"], PROMPT)
    samples, profile = parameters["samples"], parameters["profile"]

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        return list(await asyncio.gather(*(judge_unit(case, unit, tools) for unit in case.units)))

    async def judge_unit(case: Case, unit: Unit, tools: Tools) -> Judgement:
        questions = [template.messages(context=text, statement=unit.text) for text in other_answers(case)]
        answers = await asyncio.gather(
            *(tools.ask(question, sample) for question in questions for sample in range(samples))
        )
        calls = tuple(answer.call_id for answer in answers)
        readings = [read_yes(answer.text, profile, cut_off=answer.finish_reason == CUT_OFF) for answer in answers]
        yes, no, unread = (readings.count(each) for each in (True, False, None))
        rationale = f"{yes} Yes, {no} No, {unread} not parsed"
        if not yes + no:
            return Judgement(unit, None, rationale=f"{rationale}: {answers[0].text}", calls=calls)
        score = 1 - (no + UNDECIDED * unread) / len(readings)
        return decide(unit, score, parameters["threshold"], rationale, calls)

    return unless_alone(judge)


def read_yes(text: str, profile: str, *, cut_off: bool = False) -> bool | None:
    """True: Yes. None: neither could be read. Of an answer that was cut off only the word with which it opens counts.

    repaired: the word with which the answer opens, else the one that it ends in as its answer. paper, and
    released-code, which has no rule of its own here: an answer of that one word.
    """
    if profile in ("paper", RELEASED_CODE):
        match = WHOLE.fullmatch(text)
        return None if match is None else match.group(1).lower() == "yes"
    settled = settle(text, YES_NO, cut_off=cut_off)
    return None if settled is None else settled.value


METHOD = Method(
    name="selfcheck-prompt",
    title="SelfCheckGPT, prompts",
    description="Asks a model of each unit whether the subject model's other answers to the same prompt support it; "
    "their average decides. Leaves out responses without other samples.",
    build=build,
    needs_model=True,
    answer_tokens=5,
    prompt=PROMPT,
    own_parameters=(
        Parameter(
            "threshold",
            0.5,
            "Score from which a unit is supported: 1 for each Yes, 0 for each No, a half for what cannot be read.",
            minimum=0,
            maximum=1,
            label="Threshold",
        ),
    ),
)
