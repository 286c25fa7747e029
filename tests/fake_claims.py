"""What the fake model server says to the prompts of methods that search: every fact stands alone and is relevant, one
search is enough, and a statement with the word "wrong" is not supported."""

import json
import re
from collections.abc import Callable


def searching(messages: list[dict[str, str]]) -> str | None:
    """None for other prompts."""
    system = messages[0]["content"]
    said = next((say for begins, say in SAID.items() if system.startswith(begins)), None)
    return None if said is None else said(messages[-1]["content"])


def _field(asked: str, name: str) -> str:
    found = re.search(rf"^{name}: ?\n?(.*)$", asked, flags=re.MULTILINE)
    return found.group(1) if found else ""


def _is_wrong(asked: str, name: str) -> bool:
    return re.search(r"\bwrong\b", _field(asked, name)) is not None


def facts(sentence: str) -> str:
    facts = re.split(r"\band\b", sentence.removeprefix("Take this sentence apart: "))
    return "".join(f"- {fact.strip(' ,.')}.\n" for fact in facts)


def query(asked: str) -> str:
    return f"Query: {_field(asked, 'Statement')}" if "\nnothing yet" in asked else "enough"


def verdict(asked: str) -> str:
    return f"Verdict: {'not supported' if _is_wrong(asked, 'Statement') else 'supported'}"


def claims(asked: str) -> str:
    return json.dumps([claim.strip() for claim in re.findall(r"[^.]+\.", _field(asked, "Answer"))])


def queries(asked: str) -> str:
    return json.dumps([_field(asked, "Claim"), f"Is it so: {_field(asked, 'Claim')}"])


def factuality(asked: str) -> str:
    said = {"reasoning": "So it is written.", "error": None, "correction": None}
    return json.dumps({**said, "factuality": not _is_wrong(asked, "Claim")})


def sentence(asked: str) -> str:
    return f"- {_field(asked, 'Sentence')}"


def verdicts(asked: str) -> str:
    numbers = re.findall(r"^Claim (\d+): ", asked, flags=re.MULTILINE)
    said = {number: "not supported" if _is_wrong(asked, f"Claim {number}") else "supported" for number in numbers}
    return "\n".join(f"{number}. {word}" for number, word in said.items())


def chunk(asked: str) -> str:
    """Each segment is one claim, of which the model is sure but where it has the word "wrong"."""
    numbered = re.findall(r"^(\d+)\. (.*)$", asked, flags=re.MULTILINE)
    return "\n".join(f"{number}. {text} | {'unsure 40' if 'wrong' in text else 'true 95'}" for number, text in numbered)


def claim_verdict(asked: str) -> str:
    return f"Verdict: {'not supported' if _is_wrong(asked, 'Claim') else 'supported'}"


SAID: dict[str, Callable[[str], str]] = {
    "You take sentences apart": facts,
    "You are given an answer and a statement": lambda asked: _field(asked, "Statement"),
    "You are given a question, the answer to it, and a statement": lambda asked: "relevant",
    "You check statements by searching": query,
    "You judge statements by what searches": verdict,
    "You are given a question and the answer to it. List": claims,
    "You write queries": queries,
    "You check a claim": factuality,
    "You take sentences of an answer apart": sentence,
    "You check claims by what searches": verdicts,
    "You take answers apart into claims": chunk,
    "You judge claims by passages": claim_verdict,
}
