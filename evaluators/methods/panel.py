"""A panel: several models judge each unit by the same prompt, and the majority decides."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.prompt_sets.templates import read_template
from evaluators.methods.base import OTHER_MODELS, Case, Judge, Judgement, Method, Outcome, Parameter, Tools, Unit
from evaluators.methods.deciding import decide
from evaluators.methods.factscore_prompting import FactVerdict, count_votes
from evaluators.methods.parameters import other_models, split_model
from stats.baselines import NOT_SUPPORTED, SUPPORTED

PROMPT = "panel"
RUNS_OWN = ""  # among the names of judges, the run's model
NO_DECISION, FIRST = "none", "first"


@dataclass(frozen=True)
class Vote:
    """One judge's vote on a unit: `judgement.value` is None where its answers cannot be read."""

    judge: str
    judgement: Judgement


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks the template."""
    template = read_template(parameters["prompts"], PROMPT)
    judges = (RUNS_OWN, *other_models(parameters))
    samples, profile, tie = parameters["samples"], parameters["profile"], parameters["tie"]
    # No vote is decided before so many have voted, so they are asked at once.
    fewest = (len(judges) + 1) // 2 if tie == FIRST else len(judges) // 2 + 1
    first = len(judges) if parameters["ask_all"] else fewest

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        return list(await asyncio.gather(*(judge_unit(case, unit, tools) for unit in case.units)))

    async def judge_unit(case: Case, unit: Unit, tools: Tools) -> Judgement:
        messages = template.messages(question=case.prompt, response=case.response, statement=unit.text)

        async def vote(name: str) -> Vote:
            named = {"model": name} if name else {}
            answers = await asyncio.gather(*(tools.ask(messages, sample, **named) for sample in range(samples)))
            read = [FactVerdict(decide(answer, profile), answer.text, (answer.call_id,)) for answer in answers]
            return Vote(name, count_votes(unit, read))

        votes = list(await asyncio.gather(*(vote(name) for name in judges[:first])))
        while len(votes) < len(judges) and not is_decided(votes, len(judges) - len(votes), tie):
            votes.append(await vote(judges[len(votes)]))
        return count(unit, votes, samples * (len(judges) - len(votes)), tie)

    return judge


def is_decided(votes: Sequence[Vote], remaining: int, tie: str) -> bool:
    """Whether the outcome is the same however so many remaining judges vote."""
    supported, against = _split(votes)
    lead = abs(len(supported) - len(against))
    # A lead that the others can only draw level with is enough where the first judge, who leads, breaks ties.
    leads = len(supported) > len(against)
    breaks_tie = tie == FIRST and lead > 0 and _first(votes) == (SUPPORTED if leads else NOT_SUPPORTED)
    return lead > remaining or (lead == remaining and breaks_tie)


def count(unit: Unit, votes: Sequence[Vote], saved: int, tie: str) -> Judgement:
    """The majority of the votes that could be read, and as score their share for supported; neither where there is no
    decision. saved: calls that were not needed."""
    supported, against = _split(votes)
    unread = [vote.judge for vote in votes if vote.judgement.value is None]
    calls = tuple(call for vote in votes for call in vote.judgement.calls)
    said = {"True": supported, "False": against, "not parsed": unread}
    rationale = "; ".join(f"{what}: {', '.join(map(_called, who))}" for what, who in said.items() if who)
    rationale += f"; {saved} {'call' if saved == 1 else 'calls'} saved" if saved else ""
    if len(supported) == len(against):
        value = _first(votes) if tie == FIRST else None
    else:
        value = SUPPORTED if len(supported) > len(against) else NOT_SUPPORTED
    if value is None:
        return Judgement(unit, None, rationale=rationale, calls=calls)
    return Judgement(unit, value, len(supported) / (len(supported) + len(against)), rationale, calls)


def _split(votes: Sequence[Vote]) -> tuple[list[str], list[str]]:
    """The judges that say supported, and those that say not supported."""
    supported, against = (
        [vote.judge for vote in votes if vote.judgement.value == value] for value in (SUPPORTED, NOT_SUPPORTED)
    )
    return supported, against


def _first(votes: Sequence[Vote]) -> str | None:
    """The first vote that could be read."""
    return next((vote.judgement.value for vote in votes if vote.judgement.value is not None), None)


def _called(judge: str) -> str:
    """Without its endpoint: rationales are published."""
    return split_model(judge, "")[1] or "the run's model"


METHOD = Method(
    name="panel",
    title="Panel of judges",
    description="Asks several models the same about each unit, whether it is true; their majority decides. No model is "
    "asked once the vote is decided.",
    build=build,
    needs_model=True,
    answer_tokens=5,
    prompt=PROMPT,
    own_parameters=(
        OTHER_MODELS,
        Parameter(
            "tie",
            NO_DECISION,
            "What becomes of a unit on which as many say True as False: no decision, or what the first judge says.",
            choices=(NO_DECISION, FIRST),
            label="Ties",
        ),
        Parameter(
            "ask_all",
            False,
            "Whether every model is asked, also where the vote is decided: scores are then shares of the whole panel.",
            label="Ask every model",
        ),
    ),
)
