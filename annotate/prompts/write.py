"""More prompts after a few drafted ones, by self-instruct (FELM §3.4; Wang et al. 2022)."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.prompts.asking import Ask, UnreadableError, ask_until_read
from annotate.prompts.overlap import NEAR, nearest
from llm.templates import PromptTemplate

# Numbers of one request: drafted prompts as examples, written ones as examples, and new ones asked for.
DRAFTED, WRITTEN, NEW = 6, 2, 8
PATIENCE = 5  # requests in a row that bring nothing new
MARK = "- "


@dataclass(frozen=True)
class WritingTemplates:
    """request: for more prompts. again: what is sent after an answer that cannot be read."""

    request: PromptTemplate
    again: PromptTemplate


@dataclass(frozen=True)
class WrittenPrompts:
    """New prompts, in order, and how many were refused because they overlap with one that was there."""

    prompts: list[str]
    refused: int


async def write(
    ask: Ask,
    templates: WritingTemplates,
    drafted: Sequence[str],
    taken: Sequence[str],
    wanted: int,
    seed: int,
    domain: str,
) -> WrittenPrompts:
    """`wanted` more prompts after the drafted ones, without overlap among them or with those `taken`.

    The seed chooses the examples, so answers from before an interruption are not paid for again. Fewer than
    wanted where PATIENCE requests in a row bring nothing new. Raises UnreadableError, or ModelError.
    """
    # Not `secrets`: the draw must be repeatable.
    draw = random.Random(seed)  # noqa: S311
    written: list[str] = []
    refused = idle = request = 0
    while len(written) < wanted and idle < PATIENCE:
        examples = [
            *draw.sample(drafted, min(DRAFTED, len(drafted))),
            *draw.sample(written, min(WRITTEN, len(written))),
        ]
        before = len(written)
        messages = _messages(templates.request, examples, domain)
        for prompt in await ask_until_read(ask, messages, read_prompts, templates.again, request):
            if nearest(prompt, [*taken, *written]) >= NEAR:
                refused += 1
            elif len(written) < wanted:
                written.append(prompt)
        idle = idle + 1 if len(written) == before else 0
        request += 1
    return WrittenPrompts(written, refused)


def read_prompts(answer: str) -> list[str]:
    """The lines that begin with "- ", without it. Raises UnreadableError where there is none."""
    lines = (line.strip() for line in answer.split("\n"))
    prompts = [line.removeprefix(MARK).strip() for line in lines if line.startswith(MARK)]
    if not any(prompts):
        raise UnreadableError('no line of it begins with "- "')
    return [prompt for prompt in prompts if prompt]


def _messages(template: PromptTemplate, examples: Sequence[str], domain: str) -> list[dict[str, str]]:
    lines = "\n".join(f"- {' '.join(prompt.split())}" for prompt in examples)
    about = f" on {domain}" if domain else ""
    return template.messages(shown=str(len(examples)), about=about, examples=lines, wanted=str(NEW))
