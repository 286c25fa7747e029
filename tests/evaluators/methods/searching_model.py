"""A model and a web for tests of methods that search: each step answered as a test says."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evaluators.methods import METHODS
from evaluators.methods.base import Case, Outcome, WebResult
from evaluators.methods.parameters import read_parameters
from llm.answer import Answer
from tests.evaluators.methods.cases import ScriptedModel
from tests.fake_claims import searching

# The beginnings of the project's templates, by their names.
BEGINNINGS = {
    "split": "You take sentences apart",
    "revise": "You are given an answer and a statement",
    "relevance": "You are given a question, the answer to it, and a statement",
    "query": "You check statements by searching",
    "rate": "You judge statements by what searches",
    "claims": "You are given a question and the answer to it. List",
    "queries": "You write queries",
    "verify": "You check a claim",
}

Say = str | Callable[[str], str]


class SearchingModel(ScriptedModel):
    """says: the answer to each step, a text or what makes one of the last message; a step that is not named is answered
    as by the fake server. `asked_for`: the steps in their order; calls are numbered from 1."""

    def __init__(self, says: Mapping[str, Say], web: Mapping[str, Sequence[WebResult]], finish_reason: str) -> None:
        super().__init__(web=web, finish_reason=finish_reason)
        self.says = says
        self.asked_for: list[str] = []

    async def ask(self, messages: list[dict[str, str]], sample: int = 0, **overrides: Any) -> Answer:
        self.asked.append(messages)
        step = next(name for name, begins in BEGINNINGS.items() if messages[0]["content"].startswith(begins))
        self.asked_for.append(step)
        say = self.says.get(step)
        if say is None:
            text = searching(messages) or ""
        else:
            text = say if isinstance(say, str) else say(messages[-1]["content"])
        return Answer(len(self.asked), text.split("|")[sample % (text.count("|") + 1)], self.finish_reason)

    def shown(self, step: str) -> list[str]:
        """The last messages of this step."""
        return [
            messages[-1]["content"] for name, messages in zip(self.asked_for, self.asked, strict=True) if name == step
        ]


def run(
    method: str,
    case: Case,
    says: Mapping[str, Say] | None = None,
    web: Mapping[str, Sequence[WebResult]] | None = None,
    finish_reason: str = "stop",
    **parameters: Any,
) -> tuple[list[Outcome], SearchingModel]:
    """Answers of several samples stand in one text, with | between them."""
    model = SearchingModel(says or {}, web or {}, finish_reason)
    judge = METHODS[method].build(read_parameters(METHODS[method], parameters))
    return asyncio.run(judge(case, model)), model
