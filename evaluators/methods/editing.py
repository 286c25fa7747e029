"""What all editors share: their parameters, the lines of facts in a prompt, and the reading of an answer (FActScore
appendix C.1)."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from annotate.prompt_sets.templates import read_template
from evaluators.methods.base import Case, Edit, Judge, LabelledFact, Outcome, Parameter, Skip, Tools, Unit
from evaluators.methods.felm_answers import INCOMPLETE

NO_FACTS, OF_GOLD, OF_RUN = "none", "gold", "run"
ERRORS, CORRECTED, ALL = "errors", "corrected", "all"
NO_LABELLED_FACT = "no fact with a label"

SELECTION = (
    Parameter(
        "sentences",
        ERRORS,
        "The sentences that are edited: those with an error, by gold or by the run's labels; those that people "
        "corrected; or all.",
        choices=(ERRORS, CORRECTED, ALL),
        label="Sentences",
    ),
    Parameter(
        "run",
        0,
        "Number of the run whose judgements are the labels; 0: gold has them.",
        minimum=0,
        label="Run with the labels",
    ),
)
FACTS = Parameter(
    "facts",
    NO_FACTS,
    "The atomic facts, each with its label, that are shown with a sentence: none, or labelled by gold or by a run.",
    choices=(NO_FACTS, OF_GOLD, OF_RUN),
    label="Facts",
)

LEAD = re.compile(r"\s*(?:edit(?:ed)?|correct(?:ed|ion)?)(?: sentence)?\s*:\s*", flags=re.IGNORECASE)
NOTHING_LEFT = re.compile(r"\W*(?:none|remove)\W*", flags=re.IGNORECASE)
NOTHING_WRONG = re.compile(
    r"\W*(?:the |this )?(?:input|sentence|text)(?: above)? "
    r"(?:(?:has|contains|shows) no (?:\w+ )?errors?|is (?:free of|without) (?:\w+ )?errors?|is correct)\b",
    flags=re.IGNORECASE,
)

Ask = Callable[[Tools, Case, Unit], Awaitable[Outcome]]


def each_sentence(ask: Ask) -> Judge:
    """A judge that edits the case's sentences side by side."""

    async def edit(case: Case, tools: Tools) -> list[Outcome]:
        return list(await asyncio.gather(*(ask(tools, case, unit) for unit in case.units)))

    return edit


class Prompt:
    """The prompt of an editor: its template `variant`, or `variant`_facts where facts are shown.

    Raises PromptError where the prompt set lacks the template.
    """

    def __init__(self, parameters: Mapping[str, Any], variant: str) -> None:
        self._with_facts = parameters["facts"] != NO_FACTS
        self._template = read_template(parameters["prompts"], f"{variant}_facts" if self._with_facts else variant)

    async def ask(self, tools: Tools, case: Case, unit: Unit, context: str = "") -> Outcome:
        """The model's correction; a sentence without a labelled fact is left out where facts are to be shown."""
        facts = case.facts.get(unit.segment_id, ())
        if self._with_facts and not facts:
            return Skip(unit, NO_LABELLED_FACT)
        fields = {"topic": case.topic, "sentence": unit.text, "context": context, "facts": show_facts(facts)}
        answer = await tools.ask(self._template.messages(**fields))
        # A sentence that was cut off would be a shorter one.
        text = None if answer.finish_reason in INCOMPLETE else read_edit(answer.text, unit.text)
        return Edit(unit, text, (answer.call_id,))


def show_facts(facts: Sequence[LabelledFact]) -> str:
    """A line for each fact, with True or False as its label."""
    return "\n".join(f"Fact {number} ({fact.supported}): {fact.text}" for number, fact in enumerate(facts, start=1))


def read_edit(answer: str, sentence: str) -> str | None:
    """The corrected sentence in an answer: its first paragraph, without words that announce it.

    "" where it says that nothing of the sentence can be kept, the sentence where it says that nothing is wrong with it,
    None where it is empty.
    """
    paragraph = answer.strip().split("\n\n", 1)[0]
    text = " ".join(LEAD.sub("", paragraph, count=1).split()) if LEAD.match(paragraph) else " ".join(paragraph.split())
    if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1]:
        text = text[1:-1].strip()
    if not text:
        return None
    if NOTHING_LEFT.fullmatch(text):
        return ""
    return sentence if NOTHING_WRONG.match(text) else text


def count_calls(case: Case, parameters: Mapping[str, Any]) -> int:
    return len(case.units)
