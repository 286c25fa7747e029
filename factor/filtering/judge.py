"""A model asked in words: does it contradict, is it fluent. It answers True or False."""

from collections.abc import Awaitable, Callable

from evaluators.methods.deciding import decide
from llm.answer import Answer
from llm.asker import Asker
from llm.errors import AccessRefusedError, RequestRefusedError

# Names in prompt sets.
CONTRADICTION, FLUENCY = "factor_judge_contradiction", "factor_judge_fluency"
# As many alternatives as every kind of endpoint gives: more than five are refused by some.
ALTERNATIVES = 5
ANSWER_TOKENS = 16
PROFILE = "repaired"  # how an answer is read (evaluators/methods/deciding.py)

NOT_READ = "The judge's answer could not be read."

Judge = Callable[[list[dict[str, str]]], Awaitable[float | str]]
"""The probability that the statement in the messages is true, or why there is none. Raises ModelError where the model
itself cannot be asked."""


def judge_by(ask: Asker, *, logprobs: bool) -> Judge:
    """P(True) against P(False) where the endpoint gives log-probabilities, else 1 or 0 by the text of the answer."""
    wanted = {"logprobs": True, "top_logprobs": ALTERNATIVES} if logprobs else {}

    async def judge(messages: list[dict[str, str]]) -> float | str:
        try:
            share = probability(await ask(messages, **wanted))
        except AccessRefusedError:
            raise
        except RequestRefusedError as error:  # of these words: others it may answer
            return f"The judge refused: {error}"
        return NOT_READ if share is None else share

    return judge


def probability(answer: Answer) -> float | None:
    """That of True; None where the answer settles on neither word."""
    verdict = decide(answer, PROFILE)
    if verdict.probability is not None or verdict.true is None:
        return verdict.probability
    return float(verdict.true)
