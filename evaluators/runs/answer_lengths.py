"""How long the answers to a method's questions usually are: as long as known ones, or as documented."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotate.models import Dataset
from evaluators.methods.base import Method
from evaluators.models import Run
from llm.models import Call

READ = 300  # known answers that are measured, spread over the runs
CHARACTERS_A_TOKEN = 4.0  # of English, in the tokenizers in use
# Of a list of claims or facts: the answer to a question with a longest answer of its own.
LISTED_TOKENS = 150.0


@dataclass(frozen=True)
class AnswerLengths:
    """Tokens of a usual answer to the questions of a method: `asked` where the run's own longest answer holds, `listed`
    where the question has another. characters_a_token: of its prompts. measured: the known answers that these figures
    are means of; 0: they are the documented ones (docs/evaluate.md, Estimate)."""

    asked: float
    listed: float = LISTED_TOKENS
    characters_a_token: float = CHARACTERS_A_TOKEN
    measured: int = 0

    def likely(self, limit: int, own_limit: int | None) -> float:
        """Tokens of the answer to one question. own_limit: its own longest answer, None where the run's limit holds."""
        return min(self.asked, limit) if own_limit is None else min(self.listed, own_limit)


def answer_lengths(dataset: Dataset, method: Method, model: str) -> AnswerLengths:
    """Measured on what the dataset's runs of the same method and model were answered."""
    asked: list[int] = []
    listed: list[int] = []
    characters = prompt_tokens = 0
    limits = _limits_of_runs(dataset, method, model)
    for call in _known(dataset, method, model):
        own = call.request.get("parameters", {}).get("max_tokens") in limits
        (asked if own else listed).append(call.completion_tokens or 0)
        if call.prompt_tokens:
            prompt_tokens += call.prompt_tokens
            characters += sum(len(message["content"]) for message in call.request.get("messages", ()))
    return AnswerLengths(
        asked=_mean(asked, method.answer_tokens),
        listed=_mean(listed, LISTED_TOKENS),
        characters_a_token=characters / prompt_tokens if characters and prompt_tokens else CHARACTERS_A_TOKEN,
        measured=len(asked) + len(listed),
    )


def _limits_of_runs(dataset: Dataset, method: Method, model: str) -> set[Any]:
    return {run.evaluator.parameters.get("max_tokens") for run in _runs(dataset, method, model)}


def _runs(dataset: Dataset, method: Method, model: str) -> QuerySet[Run]:
    return Run.objects.filter(dataset=dataset, evaluator__method=method.name, evaluator__model=model).select_related(
        "evaluator"
    )


def _known(dataset: Dataset, method: Method, model: str) -> Iterable[Call]:
    """At most READ answers of which the server has said how long they are."""
    of_runs = {"sentence_edits__run__in" if method.edits else "predictions__run__in": _runs(dataset, method, model)}
    known = Call.objects.filter(completion_tokens__isnull=False, **of_runs).order_by("pk")
    keys = list(known.values_list("pk", flat=True).distinct())
    return Call.objects.filter(pk__in=spread(keys, READ)).only("request", "prompt_tokens", "completion_tokens")


def spread(keys: Sequence[int], most: int) -> list[int]:
    """At most so many of them, evenly apart: a dataset's domains follow one another."""
    count = min(most, len(keys))
    return [keys[place * len(keys) // count] for place in range(count)]


def _mean(lengths: Sequence[int], otherwise: float) -> float:
    return sum(lengths) / len(lengths) if lengths else otherwise
