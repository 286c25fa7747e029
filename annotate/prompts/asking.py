"""Asking a model until its answer can be read, a bounded number of times."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from jobs.errors import ItemError
from llm.answer import Answer
from llm.templates import PromptTemplate

READABLE_AFTER = 3  # answers at most
NOTHING = "(nothing)"  # stands for an empty answer: some servers refuse an empty turn
CUT_OFF = "it was cut off before its end"

Read = TypeVar("Read")


class Ask(Protocol):
    async def __call__(self, messages: Sequence[dict[str, str]], sample: int = 0) -> Answer: ...


class UnreadableError(ItemError):
    """The answer is not of the form that was asked for; the message names the fault."""


async def ask_until_read(
    ask: Ask, messages: Sequence[dict[str, str]], read: Callable[[str], Read], again: PromptTemplate, sample: int = 0
) -> Read:
    """The answer as parsed by `read`. One that it refuses goes back to the model with the fault, in the words of the
    template `again`.

    Raises UnreadableError with the last fault once READABLE_AFTER answers were refused, and the ModelError of a call.
    """
    request: Sequence[dict[str, str]] = messages
    fault = ""
    for _ in range(READABLE_AFTER):
        answer = await ask(request, sample)
        try:
            if answer.finish_reason == "length":
                raise UnreadableError(CUT_OFF)
            return read(answer.text)
        except UnreadableError as error:
            fault = str(error)
        request = [*request, *again.messages(answer=answer.text.strip() or NOTHING, fault=fault)]
    raise UnreadableError(f"{READABLE_AFTER} answers could not be used, the last because {fault}")
