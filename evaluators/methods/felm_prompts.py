"""The prompts of FELM's evaluators: the question, a numbered list of segments or claims, and the references."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evaluators.methods.base import Case
from llm.templates import PromptTemplate

BEFORE_FIRST_LETTER = re.compile(r"\A[^A-Za-z]*")
# English text has four characters a token and more; figures, links and other scripts have fewer.
CHARACTERS_A_TOKEN = 3

Messages = list[dict[str, str]]


@dataclass(frozen=True)
class NumberedLine:
    """A line of the list: a segment, a claim of it, or a fact. `item`: the number of the segment or fact, from 0."""

    item: int
    text: str


Lines = tuple[NumberedLine, ...]


@dataclass(frozen=True)
class ListPrompt:
    """A prompt with a numbered list.

    templates: by domain, under "" the one for all others. field: the name of the list in them. room: the most tokens
    that the messages may have. ending: stands after the last message.
    """

    templates: Mapping[str, PromptTemplate]
    field: str
    layout: str
    room: int
    ending: str = ""

    def messages(self, case: Case, lines: Sequence[NumberedLine], references: Mapping[str, str]) -> Messages:
        """The lines are numbered from 1, independent of their place in the response."""
        fields = {self.field: number_lines([line.text for line in lines], self.layout)}
        template = self.templates.get(case.domain, self.templates[""])
        *before, last = template.messages(question=case.prompt, **fields, **references)
        return [*before, {**last, "content": last["content"] + self.ending}]

    def parts(self, case: Case, groups: Sequence[Lines], references: Mapping[str, str]) -> list[Lines]:
        """The lines of the response as so few calls show them that none is too long (`split`)."""
        return split(groups, lambda lines: count_tokens(self.messages(case, lines, references)) <= self.room)


def read_line_breaks(text: str) -> str:
    r"""The text with a line break for each \n that is written in it, as parameters are one line."""
    return text.replace("\\n", "\n")


def number_lines(texts: Sequence[str], layout: str) -> str:
    """The texts as the prompt shows them, numbered from 1; an empty one keeps its number.

    repaired: each on one line, so that a list inside a segment cannot be taken for the numbering. released-code: what
    precedes the first letter is lost, as in the published code. paper: as they are.
    """
    if layout == "repaired":
        one_liners = [" ".join(text.split()) or "(empty)" for text in texts]
    elif layout == "released-code":
        one_liners = [BEFORE_FIRST_LETTER.sub("", text) for text in texts]
    else:
        one_liners = list(texts)
    return "\n".join(f"{number}. {text}" for number, text in enumerate(one_liners, start=1))


def split(groups: Sequence[Lines], fits: Callable[[Lines], bool]) -> list[Lines]:
    """The groups, each of one segment's lines, joined into as few consecutive parts as fit; no group is cut.

    A group that does not fit alone is in none of them, and neither is an empty one.
    """
    parts: list[Lines] = [tuple(line for group in groups for line in group)]
    if not fits(parts[0]):
        parts = [()]
        for group in groups:
            if fits(parts[-1] + group):
                parts[-1] += group
            elif fits(group):
                parts.append(group)
    return [part for part in parts if part]


def count_tokens(messages: Messages) -> int:
    """An upper estimate of the tokens of the messages, for any tokenizer."""
    return -(-sum(len(message["content"]) for message in messages) // CHARACTERS_A_TOKEN)
