"""Estimate of a run before it starts: a rehearsal on a few responses with known answers, and no call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from annotate.models import Dataset
from evaluators.fact_generation.run_facts import FactsOfRun, generates
from evaluators.methods.base import Case, Method
from evaluators.models import Evaluator
from evaluators.runs.asking import Model, find_model, open_tools
from evaluators.runs.build import build_judge
from evaluators.runs.cases import judgeable, read_cases
from evaluators.runs.create import check_parameters, check_source, fitting_method
from evaluators.runs.tools import Rehearsal
from jobs.database_thread import DatabaseThread, run_beside_database
from llm.price import cost_usd

SAMPLED = 20
CHARACTERS_A_TOKEN = 4  # of English, in the tokenizers in use; the price is an estimate


@dataclass(frozen=True)
class RunEstimate:
    """responses: to be judged; sampled: so many of them were rehearsed, and the rest is taken to be like them.

    known: answers that are there already and cost nothing. calls: those that remain, at most. prompt_tokens: what they
    would send, about; completion_tokens: what they would be answered, at most. cost_usd: at most; None where the
    model's price is not known.
    """

    responses: int
    sampled: int
    known: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: Decimal | None


@dataclass(frozen=True)
class Rehearsed:
    """One case. calls: to be made, at most; characters: that the ones seen would send; tokens: the longest answers."""

    known: int
    calls: int
    characters: float
    tokens: float


def estimate(
    dataset: Dataset, method: str, *, model: str = "", parameters: Mapping[str, str] | None = None, limit: int | None
) -> RunEstimate:
    """The estimate of a run with these arguments (evaluators/runs/create.py). Raises RunError, and ModelError where the
    endpoint cannot be used."""
    declared = fitting_method(method, dataset, model)
    checked = check_parameters(declared, parameters or {}, dataset)
    check_source(declared, checked, dataset)
    responses = list(judgeable(dataset, generates(checked)).values_list("pk", flat=True)[:limit])
    if not declared.needs_model:
        return RunEstimate(len(responses), 0, 0, 0, 0, 0, Decimal(0))
    evaluator = Evaluator(method=method, model=model, parameters=checked)
    found_model, facts = find_model(evaluator, dataset), FactsOfRun(evaluator, dataset)
    cases = list(read_cases(dataset, _spread(responses), facts.generated).values())
    rehearsed = _rehearse(declared, evaluator, found_model, facts, dataset, cases)
    scale = len(responses) / len(cases) if cases else 0.0
    prompt_tokens = round(sum(each.characters for each in rehearsed) * scale / CHARACTERS_A_TOKEN)
    completion_tokens = round(sum(each.tokens for each in rehearsed) * scale)
    return RunEstimate(
        responses=len(responses),
        sampled=len(cases),
        known=round(sum(each.known for each in rehearsed) * scale),
        calls=round(sum(each.calls for each in rehearsed) * scale),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        cost_usd=cost_usd(found_model.price, prompt_tokens, completion_tokens),
    )


def _spread(responses: Sequence[int]) -> list[int]:
    """At most SAMPLED of them, evenly apart: a dataset's domains follow one another."""
    count = min(SAMPLED, len(responses))
    return [responses[place * len(responses) // count] for place in range(count)]


def _rehearse(
    method: Method, evaluator: Evaluator, model: Model, facts: FactsOfRun, dataset: Dataset, cases: Sequence[Case]
) -> list[Rehearsed]:
    parameters = evaluator.parameters
    judge, source = build_judge(method, parameters, dataset).judge, dataset.knowledge_source
    if method.rehearsal is not None:
        judge = method.rehearsal(parameters)
    rehearsed: list[Rehearsed] = []

    async def rehearse(database_thread: DatabaseThread) -> None:
        async with open_tools(model, source, database_thread, call_limit=0) as tools:
            for case in cases:
                noted = Rehearsal(tools)
                complete = await facts.rehearse(case, noted)
                fact_calls = len(noted.lengths) + noted.known
                await judge(complete, noted)
                most = fact_calls + method.calls(complete, parameters) if method.calls else 0
                rehearsed.append(_count(noted, most, parameters["max_tokens"]))

    run_beside_database(rehearse)
    return rehearsed


def _count(noted: Rehearsal, most: int, max_tokens: int) -> Rehearsed:
    """Calls that a known answer would have led to have not been seen: they are taken to be like the others."""
    seen = len(noted.lengths)
    calls = max(seen, most - noted.known)
    each = calls / seen if seen else 0.0
    return Rehearsed(
        known=noted.known,
        calls=calls if seen else 0,
        characters=each * sum(prompt for prompt, _ in noted.lengths),
        tokens=each * sum(longest or max_tokens for _, longest in noted.lengths),
    )
