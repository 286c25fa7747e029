"""A judge by rubric: a model labels the units of a response by the guidelines that the dataset's annotators have."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from annotate.prompt_sets.templates import read_guidelines, read_template
from evaluators.methods.base import GUIDELINES, Case, Judge, Judgement, Method, Outcome, Parameter, Tools, Unit
from evaluators.methods.felm_answers import INCOMPLETE
from evaluators.methods.felm_prompts import number_lines
from evaluators.methods.parameters import layout_of
from evaluators.methods.verdicts import IRRELEVANT, SUPPORT, Mention, read_numbered, settle
from llm.answer import Answer
from stats.baselines import NOT_SUPPORTED, SUPPORTED

PER_RESPONSE, PER_UNIT = "response", "unit"
OF_SEGMENTS = ("supported", "not supported")
OF_FACTS = (*OF_SEGMENTS, "irrelevant")
VALUES = {"supported": SUPPORTED, "not supported": NOT_SUPPORTED, "irrelevant": IRRELEVANT}
STRICT_LINE = re.compile(r"([0-9]{1,9}): (.+)")

Values = list[str | None]
"""One value for each statement, None where it cannot be read."""


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks a template, or the dataset such guidelines."""
    per_unit = parameters["per"] == PER_UNIT
    template = read_template(parameters["prompts"], "rubric_unit" if per_unit else "rubric_response")
    guidelines = read_guidelines(parameters[GUIDELINES.name])
    samples, profile, layout = parameters["samples"], parameters["profile"], layout_of(parameters)

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        # The same question in whatever order the units come.
        units = sorted(case.units, key=lambda unit: (unit.segment, unit.fact or 0))
        groups = [[unit] for unit in units] if per_unit else [units]
        judged = await asyncio.gather(*(judge_group(case, group, tools) for group in groups))
        return [judgement for group in judged for judgement in group]

    async def judge_group(case: Case, units: Sequence[Unit], tools: Tools) -> list[Judgement]:
        labels = OF_SEGMENTS if units[0].fact_id is None else OF_FACTS
        texts = [unit.text for unit in units]
        messages = template.messages(
            guidelines=guidelines,
            labels=", ".join(labels),
            question=case.prompt,
            response=case.response,
            **({"statement": texts[0]} if per_unit else {"statements": number_lines(texts, layout)}),
        )
        answers = await asyncio.gather(*(tools.ask(messages, sample) for sample in range(samples)))
        read = [read_labels(answer, len(units), labels, profile, alone=per_unit) for answer in answers]
        return [vote(unit, answers, [values[place] for values in read]) for place, unit in enumerate(units)]

    return judge


def read_labels(answer: Answer, count: int, labels: Sequence[str], profile: str, *, alone: bool) -> Values:
    """The values of so many statements. alone: the answer is the label of a single one, without a number.

    repaired: numbered lines, a reason after the label is passed over; a number that no statement has makes the whole
    unreadable, one with two labels its statement. paper, and released-code, as there is no published code: the form
    that the prompt asks for and nothing else. An answer that was cut off or refused says nothing.
    """
    if answer.finish_reason in INCOMPLETE:
        return [None] * count
    read = READERS.get(profile, _read_strict)
    return read(answer.text, count, labels, alone)


def _read_repaired(text: str, count: int, labels: Sequence[str], alone: bool) -> Values:
    if alone:
        return [_value(settle(text, SUPPORT), labels)]
    found: dict[int, set[str | None]] = {}
    for number, mention in read_numbered(text, SUPPORT):
        found.setdefault(number, set()).add(_value(mention, labels))
    if not found.keys() <= set(range(1, count + 1)):
        return [None] * count
    return [_only(found.get(number, set())) for number in range(1, count + 1)]


def _read_strict(text: str, count: int, labels: Sequence[str], alone: bool) -> Values:
    if alone:
        return [VALUES[text.strip()] if text.strip() in labels else None]
    lines = [STRICT_LINE.fullmatch(line) for line in text.strip().splitlines()]
    numbers = [int(line[1]) for line in lines if line]
    if numbers != list(range(1, count + 1)) or not all(line and line[2] in labels for line in lines):
        return [None] * count
    return [VALUES[line[2]] for line in lines if line]


READERS: dict[str, Callable[[str, int, Sequence[str], bool], Values]] = {"repaired": _read_repaired}


def _value(mention: Mention[str] | None, labels: Sequence[str]) -> str | None:
    value = mention.value if mention else None
    return value if value in {VALUES[label] for label in labels} else None


def _only(values: set[str | None]) -> str | None:
    return next(iter(values)) if len(values) == 1 else None


def vote(unit: Unit, answers: Sequence[Answer], values: Values) -> Judgement:
    """The value that most answers give, of several the one that comes first. The score of several answers is the share
    of those that could be read that say supported; a single one has none."""
    calls = tuple(answer.call_id for answer in answers)
    counted = Counter(value for value in values if value is not None)
    if not counted:
        return Judgement(unit, None, rationale=answers[0].text, calls=calls)
    value = counted.most_common(1)[0][0]
    if len(answers) == 1:
        return Judgement(unit, value, rationale=answers[0].text, calls=calls)
    said = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counted.items())
    rationale = f"{said}, {len(values) - counted.total()} not parsed"
    return Judgement(unit, value, counted[SUPPORTED] / counted.total(), rationale, calls)


METHOD = Method(
    name="rubric",
    title="Judge by the guidelines",
    description="Shows a model the guidelines that the dataset's annotators have, and asks it for the label of every "
    "unit. Needs a dataset with guidelines.",
    build=build,
    needs_model=True,
    answer_tokens=30,
    prompt="rubric_response",
    own_parameters=(
        Parameter(
            "per",
            PER_RESPONSE,
            "What a call asks for: the labels of a whole response, or that of one unit.",
            choices=(PER_RESPONSE, PER_UNIT),
            label="One call for each",
        ),
        GUIDELINES,
    ),
)
