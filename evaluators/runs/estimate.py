"""Estimate of a run before it starts: a rehearsal on a few responses with known answers, and no call."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal

from annotate.models import Dataset
from core.plug_ins import ANY_FAULT, said_by
from evaluators.fact_generation.run_facts import FactsOfRun
from evaluators.methods.base import Case, Method
from evaluators.methods.code import called
from evaluators.models import Evaluator
from evaluators.runs.answer_lengths import AnswerLengths, answer_lengths, spread
from evaluators.runs.asking import Model, find_model, open_tools
from evaluators.runs.build import RunError, build_judge
from evaluators.runs.cases import read_cases
from evaluators.runs.create import check_parameters, check_source, fitting_method, responses_for
from evaluators.runs.editing_cases import read_editing_cases
from evaluators.runs.searching import RunSearch, find_search
from evaluators.runs.tools import Rehearsal, Unasked
from jobs.database_thread import DatabaseThread, run_beside_database
from jobs.errors import JobError
from llm.batch_api.price import batch_price
from llm.errors import ModelError
from llm.models import Price
from llm.price import Cost, Part, cost_of, in_order, sum_costs

SAMPLED = 20


@dataclass(frozen=True)
class RunEstimate:
    """responses: to be judged; sampled: so many of them were rehearsed, and the rest is taken to be like them.

    known: answers that are there already and cost nothing. calls: those that remain, at most. prompt_tokens: what they
    would send, about; completion_tokens: what they would be answered, at most. cost_usd: at most; None where a part of
    a price is not known: then known_usd is that of the others, at most, and unpriced lists these (llm.price.Part).
    likely_tokens: of answers as long as usual, and likely_usd what they would cost then;
    measured: the known answers of the same method and model that say how long, 0 where the documented lengths do
    (evaluators/runs/answer_lengths.py). searches: new ones of the web, at most; both prices hold theirs.
    """

    responses: int
    sampled: int
    known: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: Decimal | None
    likely_tokens: int = 0
    likely_usd: Decimal | None = Decimal(0)
    measured: int = 0
    searches: int = 0
    known_usd: Decimal = Decimal(0)
    unpriced: tuple[str, ...] = ()


@dataclass(frozen=True)
class ModelShare:
    """What the questions to one model are. characters: that they send; tokens: of the longest answers; likely: of usual
    ones."""

    characters: float
    tokens: float
    likely: float


@dataclass(frozen=True)
class Rehearsed:
    """One case. calls: to be made, at most. shares: of each model that would be asked, by its name among the run's.
    searches: of the web, at most."""

    known: int
    calls: int
    shares: Mapping[str, ModelShare]
    searches: int


@dataclass(frozen=True)
class ModelTokens:
    """What one model would read and write in a run, in tokens; likely: of answers as long as usual."""

    price: Price | None
    prompt: int
    completion: int
    likely: int


def estimate(
    dataset: Dataset,
    method: str,
    *,
    model: str = "",
    parameters: Mapping[str, str] | None = None,
    limit: int | None,
    batch_api: bool = False,
) -> RunEstimate:
    """The estimate of a run with these arguments (evaluators/runs/create.py). Raises RunError, and ModelError where the
    endpoint cannot be used."""
    declared = fitting_method(method, dataset, model)
    checked = check_parameters(declared, parameters or {}, dataset)
    check_source(declared, checked, dataset)
    search = find_search(declared, checked, dataset)
    responses = list(responses_for(declared, dataset, checked).values_list("pk", flat=True)[:limit])
    if not declared.needs_model:
        return RunEstimate(len(responses), 0, 0, 0, 0, 0, Decimal(0))
    evaluator = Evaluator(method=method, model=model, parameters=checked)
    found_model, facts = find_model(evaluator, dataset), FactsOfRun(evaluator, dataset)
    sampled = spread(responses, SAMPLED)
    if declared.edits:
        read = read_editing_cases(dataset, sampled, checked, dataset.gold_revision)
    else:
        read = read_cases(dataset, sampled, facts.generated, facts.kind)
    cases = list(read.values())
    lengths = answer_lengths(dataset, declared, model)
    rehearsed = _rehearse(declared, evaluator, found_model, search, facts, dataset, cases, lengths)
    scale = len(responses) / len(cases) if cases else 0.0
    tokens = [
        _tokens_of(
            _price_of(model, batch_api),
            [each.shares[name] for each in rehearsed if name in each.shares],
            scale,
            lengths,
        )
        for name, model in found_model.all.items()
    ]
    makes_none = search is not None and search.kept is not None
    searches = 0 if makes_none else round(sum(each.searches for each in rehearsed) * scale)
    of_searches = _cost_of_searches(search, searches)
    most = sum_costs([*(cost_of(each.price, each.prompt, each.completion) for each in tokens), of_searches])
    likely = sum_costs([*(cost_of(each.price, each.prompt, each.likely) for each in tokens), of_searches])
    return RunEstimate(
        responses=len(responses),
        sampled=len(cases),
        known=round(sum(each.known for each in rehearsed) * scale),
        calls=round(sum(each.calls for each in rehearsed) * scale),
        prompt_tokens=sum(each.prompt for each in tokens),
        completion_tokens=sum(each.completion for each in tokens),
        cost_usd=most.usd,
        likely_tokens=sum(each.likely for each in tokens),
        likely_usd=likely.usd,
        measured=lengths.measured,
        searches=searches,
        known_usd=most.known_usd,
        unpriced=most.unpriced,
    )


@dataclass(frozen=True)
class Total:
    """Several runs. runs: method, model and estimate of each. likely_usd, cost_usd, known_usd and unpriced: of
    all together, as in RunEstimate."""

    runs: tuple[tuple[str, str, RunEstimate], ...]

    @property
    def calls(self) -> int:
        return sum(each.calls for _, _, each in self.runs)

    @property
    def likely_usd(self) -> Decimal | None:
        return _sum([each.likely_usd for _, _, each in self.runs])

    @property
    def cost_usd(self) -> Decimal | None:
        return _sum([each.cost_usd for _, _, each in self.runs])

    @property
    def known_usd(self) -> Decimal:
        return sum((each.known_usd for _, _, each in self.runs), Decimal(0))

    @property
    def unpriced(self) -> tuple[str, ...]:
        return in_order(each.unpriced for _, _, each in self.runs)


def estimate_all(
    dataset: Dataset,
    pairs: Sequence[tuple[str, str]],
    parameters: Sequence[Mapping[str, str]],
    limit: int | None,
    batch_api: bool = False,
) -> Total:
    """The estimate of runs of each method with its model, "" where it calls none, and its parameters. Raises as
    `estimate` does."""
    return Total(
        tuple(
            (method, model, estimate(dataset, method, model=model, parameters=texts, limit=limit, batch_api=batch_api))
            for (method, model), texts in zip(pairs, parameters, strict=True)
        )
    )


def _sum(prices: Sequence[Decimal | None]) -> Decimal | None:
    known = [price for price in prices if price is not None]
    return sum(known, Decimal(0)) if len(known) == len(prices) else None


def _cost_of_searches(search: RunSearch | None, searches: int) -> Cost:
    """Those of a knowledge source or of another run cost nothing."""
    if search is None or search.web is None or not searches:
        return Cost()
    price = search.web.endpoint.search_usd
    return Cost(unpriced=(Part.SEARCHES,)) if price is None else Cost(price * searches)


def _rehearse(
    method: Method,
    evaluator: Evaluator,
    model: Model,
    search: RunSearch | None,
    facts: FactsOfRun,
    dataset: Dataset,
    cases: Sequence[Case],
    lengths: AnswerLengths,
) -> list[Rehearsed]:
    parameters = evaluator.parameters
    judge, source = build_judge(method, parameters, dataset).judge, dataset.knowledge_source
    if method.rehearsal is not None:
        judge = method.rehearsal(parameters)
    rehearsed: list[Rehearsed] = []

    async def rehearse(database_thread: DatabaseThread) -> None:
        async with open_tools(model, source, database_thread, call_limit=0, search=search) as tools:
            for case in cases:
                noted = Rehearsal(tools)
                complete = await facts.rehearse(case, noted)
                fact_calls = len(noted.unasked) + noted.known
                with plug_in_faults(method):
                    await judge(complete, noted)
                    most = fact_calls + method.calls(complete, parameters) if method.calls else 0
                    searches = method.searches(complete, parameters) if method.searches else noted.searches
                rehearsed.append(_count(noted, most, searches, parameters["max_tokens"], lengths))

    run_beside_database(rehearse)
    return rehearsed


@contextmanager
def plug_in_faults(method: Method) -> Iterator[None]:
    """What the method itself raises becomes a RunError that names it."""
    try:
        yield
    except (ModelError, JobError):
        raise
    except ANY_FAULT as error:
        raise RunError(f"{called(method)} failed with {said_by(error)}") from error


def _count(noted: Rehearsal, most: int, searches: int, max_tokens: int, lengths: AnswerLengths) -> Rehearsed:
    """Calls that a known answer would have led to have not been seen: they are taken to be like the others."""
    seen = len(noted.unasked)
    calls = max(seen, most - noted.known)
    each = calls / seen if seen else 0.0
    by_model: dict[str, list[Unasked]] = defaultdict(list)
    for question in noted.unasked:
        by_model[question.model].append(question)
    shares = {
        model: ModelShare(
            characters=each * sum(question.characters for question in questions),
            tokens=each * sum(question.longest or max_tokens for question in questions),
            likely=each * sum(lengths.likely(max_tokens, question.longest) for question in questions),
        )
        for model, questions in by_model.items()
    }
    return Rehearsed(
        known=noted.known,
        calls=calls if seen else 0,
        shares=shares,
        searches=searches if calls or noted.searches else 0,
    )


def _price_of(model: Model, batch_api: bool) -> Price | None:
    return batch_price(model.endpoint, model.price) if batch_api else model.price


def _tokens_of(price: Price | None, shares: Sequence[ModelShare], scale: float, lengths: AnswerLengths) -> ModelTokens:
    """scale: how many responses each case stands for."""
    return ModelTokens(
        price,
        prompt=round(sum(each.characters for each in shares) * scale / lengths.characters_a_token),
        completion=round(sum(each.tokens for each in shares) * scale),
        likely=round(sum(each.likely for each in shares) * scale),
    )
