"""FActScore as a function: responses and a knowledge source in; score, facts and decisions out (docs/methods.md, As a
library).

    from evaluators.factscore import factscore

    result = factscore(responses, topics, {"Ada Lovelace": "Ada Lovelace was …"}, model="gpt-4o-mini")

No server and no database: a process that has not set up Django gets settings of its own.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluators.library.result import FactScore, JudgedFact, ScoredResponse
from evaluators.library.setup import set_up

__all__ = ["FactScore", "JudgedFact", "ScoredResponse", "factscore"]

OPENAI = "https://api.openai.com/v1"
GAMMA = 10


def factscore(
    responses: Sequence[str],
    topics: Sequence[str],
    source: Mapping[str, str] | str | Path,
    *,
    model: str,
    base_url: str = OPENAI,
    api_key: str = "",
    facts: Sequence[Sequence[str] | None] | None = None,
    method: str = "factscore-retrieve",
    gamma: int | None = GAMMA,
    cache: str | Path | None = None,
    **parameters: Any,
) -> FactScore:
    """The FActScore of the responses (Min et al. 2023; docs/statistics.md, FActScore of a subject model).

    Parameters
    ----------
    responses, topics : the texts, and of each the title of its page in the source.
    source : pages as title → text, or a file of JSON lines with the keys `title` and `text`.
    model, base_url, api_key : of any endpoint that speaks OpenAI's protocol; without a key for servers that want none.
    facts : of each response its atomic facts, None to have the model generate them; None: generate those of all.
    method : a registered method for facts; `factscore-no-context` looks at no source.
    gamma : responses of n ≤ γ facts are multiplied by exp(1 − γ/n); None or 0: no penalty.
    cache : a file that keeps every answer, so that a call again costs nothing; None keeps none.
    parameters : of the method, such as `passages=5`, `profile="released-code"`, `prompts`, `temperature`, `in_flight`.

    Raises
    ------
    ValueError : an argument that cannot be used; its message names it.
    llm.errors.ModelError : the endpoint does not answer, or refuses every request. Answers so far are in the cache.
    """
    set_up()
    from evaluators.library.score import Asked, score

    asked = Asked(method, model, base_url, api_key, gamma or None, cache, parameters)
    return score(responses, topics, source, facts, asked)
