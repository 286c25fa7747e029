"""The model's answers that a run was given for its responses."""

from collections import defaultdict
from collections.abc import Sequence

from evaluators.models import Run
from llm.models import Call


def beside_answers(rationale: str, calls: Sequence[Call]) -> str:
    """ "" where the rationale is one of the answers itself, which is a link away."""
    return "" if any(call.answer == rationale for call in calls) else rationale


def calls_of(run: Run, responses: Sequence[int]) -> dict[int, list[Call]]:
    """By the key of a response its answers, in the order in which they came. A run of an earlier version noted none
    with its items: its answers are those that predictions and claims were read from."""
    items, *others = (
        rows.filter(**{f"{response}__in": responses}, calls__isnull=False).order_by().values_list(response, "calls")
        for rows, response in (
            (run.items.all(), "response"),
            (run.predictions.all(), "segment__response"),
            (run.extracted_claims.all(), "response"),
        )
    )
    links = sorted(items.union(*others))
    calls = Call.objects.only("finish_reason").in_bulk({call for _, call in links})
    by_response: dict[int, list[Call]] = defaultdict(list)
    for response, call in links:
        by_response[response].append(calls[call])
    return by_response
