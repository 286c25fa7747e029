"""The model's answers that a run was given for its responses."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from evaluators.models import Run, SentenceEdit
from evaluators.runs.item_calls import answers_given
from llm.models import Call
from llm.stored_parts import said_in


def beside_answers(rationale: str, calls: Sequence[Call]) -> str:
    """ "" where the rationale is one of the answers itself, which is a link away."""
    return "" if any(said_in(call) == rationale for call in calls) else rationale


def calls_of(run: Run, responses: Sequence[int]) -> dict[int, list[Call]]:
    """By the key of a response its answers, in the order in which they came."""
    return _by_key(answers_given([run], "response", "calls", responses=responses))


def calls_of_edits(edits: Sequence[int]) -> dict[int, list[Call]]:
    """By the key of an edit the answers that it was read from, in the order in which they came."""
    links = SentenceEdit.calls.through._default_manager.filter(sentenceedit__in=edits)
    return _by_key(links.values_list("sentenceedit", "call"))


def _by_key(rows: Iterable[tuple[int, int]]) -> dict[int, list[Call]]:
    """The answers by the first of each pair; the second is the key of an answer."""
    links = sorted(rows)
    calls = Call.objects.only("finish_reason").in_bulk({call for _, call in links})
    by_key: dict[int, list[Call]] = defaultdict(list)
    for key, call in links:
        by_key[key].append(calls[call])
    return by_key
