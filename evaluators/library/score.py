"""The FActScore of responses by a method and a model, in one event loop."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from annotate.corpus.sentences import sentences
from annotate.prompt_sets.sets import is_on_server
from annotate.prompts.asking import UnreadableError
from evaluators.fact_generation.run_facts import fact_writer
from evaluators.fact_generation.writer import FactWriter
from evaluators.library.pages import Pages
from evaluators.library.result import FactScore, JudgedFact, ScoredResponse
from evaluators.library.tools import AnswerFile, LibraryTools
from evaluators.methods import METHODS
from evaluators.methods.abstention import abstains
from evaluators.methods.base import FACTS, Case, Judge, Judgement, Method, Skip, Unit
from evaluators.methods.factscore_facts import GENERATED
from evaluators.methods.parameters import ParameterError, read_parameters
from jobs.policy import cause_of
from llm.endpoints import checked_address
from llm.errors import AccessRefusedError, EndpointAddressError, RequestRefusedError
from llm.templates import PromptError
from llm.weights import NotReadyError
from stats.baselines import SUPPORTED
from stats.estimated_factscore import EstimatedResponses

UNPARSED = "the answer could not be read"


@dataclass(frozen=True)
class Asked:
    """How it is scored (evaluators/factscore.py)."""

    method: str
    model: str
    base_url: str
    api_key: str
    gamma: int | None
    cache: str | Path | None
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Scorer:
    """writer: None where every response brings its facts."""

    judge: Judge
    writer: FactWriter | None
    parameters: Mapping[str, Any]


def score(
    responses: Sequence[str],
    topics: Sequence[str],
    source: Mapping[str, str] | str | Path,
    facts: Sequence[Sequence[str] | None] | None,
    asked: Asked,
) -> FactScore:
    """Raises ValueError and ModelError."""
    given = facts if facts is not None else [None] * len(responses)
    if not len(responses) == len(topics) == len(given):
        raise ValueError(f"{len(responses)} responses, {len(topics)} topics, {len(given)} lists of facts: not as many.")
    scorer = _build(asked, generating=any(each is None for each in given))
    pages = Pages(source)

    async def work() -> FactScore:
        answers = AnswerFile(asked.cache)
        async with LibraryTools(asked.model, asked.base_url, asked.api_key, scorer.parameters, pages, answers) as tools:
            return _summary(await _score_all(scorer, tools, responses, topics, given), asked.gamma, tools)

    # In a thread of its own: a notebook's thread has an event loop that runs already.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work()).result()


def _build(asked: Asked, generating: bool) -> Scorer:
    """Raises ValueError."""
    method = METHODS.get(asked.method)
    if method is None or not _scores_facts(method):
        known = ", ".join(sorted(name for name, each in METHODS.items() if _scores_facts(each)))
        raise ValueError(f"method is {asked.method!r}; it must be one of {known}.")
    try:
        checked_address(asked.base_url, "base_url")
        facts = {"facts": GENERATED} if generating else {}
        parameters = read_parameters(method, {**facts, **asked.parameters})
        if not is_on_server(parameters["prompts"]):
            raise PromptError(f"There is no prompt set {parameters['prompts']!r}.")
        return Scorer(method.build(parameters), fact_writer(parameters), parameters)
    except (ParameterError, PromptError, NotReadyError, EndpointAddressError) as error:
        raise ValueError(str(error)) from error


def _scores_facts(method: Method) -> bool:
    """Whether it asks a model about facts that it can be given or make itself: FActScore's methods."""
    chooses_facts = any(parameter.name == "facts" for parameter in method.parameters)
    return FACTS in method.schemes and method.needs_model and chooses_facts


async def _score_all(
    scorer: Scorer,
    tools: LibraryTools,
    responses: Sequence[str],
    topics: Sequence[str],
    given: Sequence[Sequence[str] | None],
) -> list[ScoredResponse]:
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(_score_one(scorer, tools, *each))
                for each in zip(responses, topics, given, strict=True)
            ]
    except ExceptionGroup as error:
        raise cause_of(error) from error
    return [task.result() for task in tasks]


async def _score_one(
    scorer: Scorer, tools: LibraryTools, response: str, topic: str, given: Sequence[str] | None
) -> ScoredResponse:
    """Without its score. An answer that is refused or cannot be read fails this response alone."""
    if abstains(response, scorer.parameters):
        return ScoredResponse(topic, True, (), None)
    try:
        units = await _units(scorer, tools, response, given)
        case = Case("", "", response, "", topic, "", tuple(sentences(response)), units)
        outcomes = await scorer.judge(case, tools) if units else []
    except AccessRefusedError:
        raise
    except (UnreadableError, RequestRefusedError) as error:
        return ScoredResponse(topic, False, (), None, str(error))
    of_unit = {outcome.unit: outcome for outcome in outcomes if isinstance(outcome, Judgement | Skip)}
    judged = tuple(_judged(of_unit[unit], given is not None) for unit in units)
    return ScoredResponse(topic, not judged, judged, None)


async def _units(scorer: Scorer, tools: LibraryTools, response: str, given: Sequence[str] | None) -> tuple[Unit, ...]:
    if given is not None:
        return tuple(Unit(0, number, 0, number, text) for number, text in enumerate(given))
    if scorer.writer is None:
        raise TypeError("Facts are to be generated, and nothing does it.")
    facts = await scorer.writer.write(sentences(response), tools)
    placed = [(sentence, place, text) for sentence, texts in enumerate(facts) for place, text in enumerate(texts)]
    return tuple(Unit(sentence, number, sentence, place, text) for number, (sentence, place, text) in enumerate(placed))


def _judged(outcome: Judgement | Skip, given: bool) -> JudgedFact:
    unit = outcome.unit
    sentence = None if given else unit.segment
    if isinstance(outcome, Skip):
        return JudgedFact(unit.text, sentence, None, None, "", outcome.reason)
    if outcome.value is None:
        return JudgedFact(unit.text, sentence, None, None, outcome.rationale, UNPARSED)
    return JudgedFact(unit.text, sentence, outcome.value == SUPPORTED, outcome.score, outcome.rationale)


def _summary(scored: Sequence[ScoredResponse], gamma: int | None, tools: LibraryTools) -> FactScore:
    none = np.zeros(len(scored), dtype=np.int64)
    failed = np.array([bool(each.error) for each in scored], dtype=np.bool_)
    responding = np.array([not each.abstained and not each.error for each in scored], dtype=np.bool_)
    facts = np.array([len(each.facts) for each in scored], dtype=np.int64)
    estimated = EstimatedResponses(
        subject=none,
        prompt=none,
        responding=responding,
        unjudged=failed,
        facts=facts,
        judged=np.array([sum(fact.supported is not None for fact in each.facts) for each in scored], dtype=np.int64),
        supported=np.array([sum(fact.supported is True for fact in each.facts) for each in scored], dtype=np.int64),
    )
    penalised, plain = estimated.scores(gamma), estimated.scores(None)
    return FactScore(
        score=_mean(penalised[~np.isnan(penalised)]),
        init_score=_mean(plain[~np.isnan(plain)]),
        respond_ratio=_mean(responding[~failed]),
        facts_per_response=_mean(facts[responding]),
        responses=tuple(
            replace(each, score=None if np.isnan(own) else float(own))
            for each, own in zip(scored, penalised, strict=True)
        ),
        calls=tools.called,
        cached=tools.cached,
    )


def _mean(values: Any) -> float | None:
    return float(np.mean(values)) if len(values) else None
