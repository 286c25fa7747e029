"""Messages to models: the prompt for a biography, and the request for more prompts."""

from functools import cache
from pathlib import Path

from llm.templates import PromptTemplate, read_file

MORE_PROMPTS = Path(__file__).resolve().parent / "wording" / "more_prompts.txt"


@cache
def more_prompts() -> PromptTemplate:
    return read_file(MORE_PROMPTS)


def biography_prompt(name: str) -> str:
    """The prompt for a biography (FActScore §3.1 has the scheme)."""
    return f"Tell me a bio of {name}."
