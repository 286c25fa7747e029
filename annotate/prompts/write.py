"""More prompts after a few drafted ones, by self-instruct (FELM §3.4; Wang et al. 2022)."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.corpus.rows import PromptRow
from annotate.models import CollectedPrompt, Dataset
from annotate.prompts.collect import collect
from annotate.prompts.overlap import NEAR, nearest
from annotate.prompts.start import StartError
from annotate.prompts.templates import more_prompts
from annotate.proposals.asking import Ask, UnreadableError, ask_until_read
from llm.asker import Asker
from llm.desk import Desk, run_beside_database
from llm.models import Endpoint
from llm.price import price_of
from llm.retries import RetryPolicy

# Of each request: drafted prompts shown, written ones shown beside them, and new ones asked for.
DRAFTED, WRITTEN, NEW = 6, 2, 8
SENT = {"temperature": 0.7, "max_tokens": 1024}
PATIENCE = 5  # requests in a row that bring nothing new
MARK = "- "


@dataclass(frozen=True)
class Written:
    """New prompts, in order, and how many were refused because they overlap with one that was there."""

    prompts: tuple[str, ...]
    refused: int


def write_prompts(
    dataset: Dataset,
    endpoint: Endpoint,
    model: str,
    wanted: int,
    seed: int,
    domain: str = "",
    retries: RetryPolicy | None = None,
) -> Written:
    """Have the model write `wanted` more prompts of the domain after those that came from files, and collect them.

    Nothing is collected before all are written. The seed decides which are shown, so a request that was answered before
    an interruption is not paid for again. Fewer than wanted are written where PATIENCE requests in a row bring nothing
    new. Raises StartError where no prompt is there to begin with, UnreadableError or ModelError.
    """
    there = dataset.collected_prompts.filter(domain=domain)
    drafted = list(there.filter(origin=CollectedPrompt.Origin.FILE).values_list("text", flat=True))
    if not drafted:
        of = f" of the domain {domain}" if domain else ""
        raise StartError(f"There is no drafted prompt{of} to begin with: import a few.")
    taken = list(dataset.collected_prompts.values_list("text", flat=True))
    price = price_of(endpoint, model)

    async def work(desk: Desk) -> Written:
        async with Asker(endpoint, model, SENT, 1, desk, price=price, retries=retries) as ask:
            return await _write(ask, drafted, taken, wanted, seed, domain)

    written = run_beside_database(work)
    rows = [PromptRow(text, domain=domain, source=model) for text in written.prompts]
    collect(dataset, rows, CollectedPrompt.Origin.MODEL)
    return written


async def _write(
    ask: Ask, drafted: Sequence[str], taken: Sequence[str], wanted: int, seed: int, domain: str
) -> Written:
    # Not `secrets`: the draw must be repeatable.
    draw = random.Random(seed)  # noqa: S311
    written: list[str] = []
    refused = idle = request = 0
    while len(written) < wanted and idle < PATIENCE:
        shown = [*draw.sample(drafted, min(DRAFTED, len(drafted))), *draw.sample(written, min(WRITTEN, len(written)))]
        before = len(written)
        for prompt in await ask_until_read(ask, _messages(shown, domain), read_prompts, request):
            if nearest(prompt, [*taken, *written]) >= NEAR:
                refused += 1
            elif len(written) < wanted:
                written.append(prompt)
        idle = idle + 1 if len(written) == before else 0
        request += 1
    return Written(tuple(written), refused)


def read_prompts(answer: str) -> list[str]:
    """The lines that begin with "- ", without it. Raises UnreadableError where there is none."""
    lines = (line.strip() for line in answer.split("\n"))
    prompts = [line.removeprefix(MARK).strip() for line in lines if line.startswith(MARK)]
    if not any(prompts):
        raise UnreadableError('no line of it begins with "- "')
    return [prompt for prompt in prompts if prompt]


def _messages(shown: Sequence[str], domain: str) -> list[dict[str, str]]:
    examples = "\n".join(f"- {' '.join(prompt.split())}" for prompt in shown)
    about = f" on {domain}" if domain else ""
    return more_prompts().messages(shown=str(len(shown)), about=about, examples=examples, wanted=str(NEW))
