"""FELM's segment-based vanilla evaluator (paper table 6): a whole response in one call, its segments numbered; the
answer lists the ids of those with errors."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any

from evaluators.methods.base import SEGMENTS, Ask, Case, Judge, Judgement, Method, Outcome, Unit
from evaluators.methods.felm_answers import read_answer
from evaluators.methods.parameters import layout_of
from evaluators.metrics.baselines import NOT_SUPPORTED, SUPPORTED
from evaluators.prompts.templates import read_template
from llm.answer import Answer

PROMPT = "felm_segment"
BEFORE_FIRST_LETTER = re.compile(r"\A[^A-Za-z]*")


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set has no template for this method."""
    template = read_template(parameters["prompts"], PROMPT)
    profile: str = parameters["profile"]
    layout = layout_of(parameters)
    samples: int = parameters["samples"]

    async def judge(case: Case, ask: Ask) -> list[Outcome]:
        messages = template.messages(question=case.prompt, segments=number_segments(case.segments, layout))
        answers = await asyncio.gather(*(ask(messages, sample) for sample in range(samples)))
        readings = [read_answer(answer, len(case.segments), profile) for answer in answers]
        return [judge_segment(unit, answers, readings) for unit in case.units]

    return judge


def number_segments(segments: Sequence[str], layout: str) -> str:
    """The segments as the prompt shows them, numbered from 1; an empty one keeps its number.

    repaired: each on one line, so that a list inside a segment cannot be taken for the numbering. released-code: what
    precedes the first letter is lost, as in the published code. paper: as they are.
    """
    if layout == "repaired":
        shown = [" ".join(segment.split()) or "(empty)" for segment in segments]
    elif layout == "released-code":
        shown = [BEFORE_FIRST_LETTER.sub("", segment) for segment in segments]
    else:
        shown = list(segments)
    return "\n".join(f"{number}. {text}" for number, text in enumerate(shown, start=1))


def judge_segment(unit: Unit, answers: Sequence[Answer], readings: Sequence[frozenset[int] | None]) -> Judgement:
    """The majority of the samples that could be parsed; a tie takes the first of them, as the published code does.

    Unparsed only where no sample could be parsed. Of several samples the score is the share that found no error.
    """
    calls = tuple(answer.call_id for answer in answers)
    votes = [unit.segment in flagged for flagged in readings if flagged is not None]
    if not votes:
        return Judgement(unit, None, rationale=answers[0].text, calls=calls)
    errors = sum(votes)
    is_error = votes[0] if 2 * errors == len(votes) else 2 * errors > len(votes)
    value = NOT_SUPPORTED if is_error else SUPPORTED
    if len(answers) == 1:
        return Judgement(unit, value, rationale=answers[0].text, calls=calls)
    rationale = f"an error in {errors} of {len(votes)} parsed answers, {len(answers) - len(votes)} not parsed"
    return Judgement(unit, value, 1 - errors / len(votes), rationale, calls)


METHOD = Method(
    name="felm-segment",
    title="FELM, segments",
    description="Shows a model the question and the numbered segments of the whole response in one call; the model "
    "answers with the ids of the segments that contain errors.",
    build=build,
    schemes=(SEGMENTS,),
    needs_model=True,
    prompt=PROMPT,
)
