"""The facts of a run that generates its own, made before a response is judged."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from annotate.models import Dataset
from annotate.prompt_sets.templates import reading_templates
from evaluators.fact_generation.storage import FactOrigin, keep_facts, needs_facts
from evaluators.fact_generation.writer import FactWriter
from evaluators.methods.abstention import abstains
from evaluators.methods.base import Case, Tools
from evaluators.methods.factscore_facts import GENERATED, facts_of
from evaluators.models import Evaluator

FACTS_A_SENTENCE = 4  # of the models that FActScore labelled (its table 2)
# Does a piece of work where the database is.
AtDesk = Callable[..., Awaitable[Case]]


def generates(parameters: Mapping[str, Any]) -> bool:
    """Whether a run with these parameters judges facts that it generates."""
    return facts_of(parameters) == GENERATED


def fact_writer(parameters: Mapping[str, Any]) -> FactWriter | None:
    """None where the run judges the facts that there are. Raises PromptError where the prompt set lacks a template."""
    return FactWriter(parameters) if generates(parameters) else None


class FactsOfRun:
    """`kind`: of the facts that the run judges. `generated`: the key of those that it generates, else None."""

    def __init__(self, evaluator: Evaluator, dataset: Dataset) -> None:
        self._parameters = evaluator.parameters
        self.kind = facts_of(self._parameters)
        with reading_templates(dataset):
            self._writer = fact_writer(self._parameters)
        self.generated = FactOrigin(evaluator.model, self._writer.hash) if self._writer else None

    async def complete(self, response: int, case: Case, tools: Tools, in_database_thread: AtDesk) -> Case:
        """The case with facts as its units. A response that abstains has none, and no call is spent on it.

        Raises UnreadableError where the model's answer holds no facts that could be read, and ModelError.
        """
        if self._writer is None or not needs_facts(case):
            return case
        if abstains(case.response, self._parameters):
            return replace(case, units=())
        facts = await self._writer.write([unit.text for unit in case.units], tools)
        return await in_database_thread(keep_facts, response, self.generated, case, facts)

    async def rehearse(self, case: Case, tools: Tools) -> Case:
        """The case with as many units as facts are to be expected, for an estimate of the calls; nothing is kept."""
        if self._writer is None or not needs_facts(case):
            return case
        if abstains(case.response, self._parameters):
            return replace(case, units=())
        await self._writer.rehearse([unit.text for unit in case.units], tools)
        return replace(case, units=case.units * FACTS_A_SENTENCE)
