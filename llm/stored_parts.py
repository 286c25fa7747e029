"""The parts of a stored answer, as pages show them (llm/thoughts.py)."""

from llm.answer import CUT_OFF
from llm.models import Call
from llm.thoughts import take_apart


def said_in(call: Call) -> str:
    """The answer without its thought."""
    return take_apart(call.answer).text(call.answer)


def thought_in(call: Call) -> str:
    """The thought, wherever it stood."""
    return "\n".join(filter(None, (call.thought, take_apart(call.answer).thought_in(call.answer))))


def is_cut_off(call: Call) -> bool:
    """Also where it ended in its thought, which answers of earlier versions do not note."""
    return call.finish_reason == CUT_OFF or take_apart(call.answer).is_cut_off
