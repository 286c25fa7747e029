"""What the fake model server says to the prompts of methods that search: every fact stands alone and is relevant, one
search is enough, and a statement that is wrong, by default one with the word "wrong", is not supported."""

import json
import re
from collections.abc import Callable

WRONG = r"\bwrong\b"


def searching(messages: list[dict[str, str]], wrong: str = WRONG) -> str | None:
    """None for other prompts. wrong: a text in which this regular expression is found is wrong."""
    system, asked = messages[0]["content"], messages[-1]["content"]
    if write := next((write for begins, write in WRITTEN.items() if system.startswith(begins)), None):
        return write(asked)
    judge = next((judge for begins, judge in JUDGED.items() if system.startswith(begins)), None)
    return None if judge is None else judge(asked, wrong)


def is_wrong(text: str, wrong: str) -> bool:
    return re.search(wrong, text, flags=re.IGNORECASE) is not None


def _field(asked: str, name: str) -> str:
    found = re.search(rf"^{name}: ?\n?(.*)$", asked, flags=re.MULTILINE)
    return found.group(1) if found else ""


def facts(sentence: str) -> str:
    facts = re.split(r"\band\b", sentence.removeprefix("Take this sentence apart: "))
    return "".join(f"- {fact.strip(' ,.')}.\n" for fact in facts)


def query(asked: str) -> str:
    return f"Query: {_field(asked, 'Statement')}" if "\nnothing yet" in asked else "enough"


def verdict(asked: str, wrong: str) -> str:
    return f"Verdict: {'not supported' if is_wrong(_field(asked, 'Statement'), wrong) else 'supported'}"


def claims(asked: str) -> str:
    return json.dumps([claim.strip() for claim in re.findall(r"[^.]+\.", _field(asked, "Answer"))])


def queries(asked: str) -> str:
    return json.dumps([_field(asked, "Claim"), f"Is it so: {_field(asked, 'Claim')}"])


def factuality(asked: str, wrong: str) -> str:
    said = {"reasoning": "So it is written.", "error": None, "correction": None}
    return json.dumps({**said, "factuality": not is_wrong(_field(asked, "Claim"), wrong)})


def sentence(asked: str) -> str:
    return f"- {_field(asked, 'Sentence')}"


def verdicts(asked: str, wrong: str) -> str:
    numbers = re.findall(r"^Claim (\d+): ", asked, flags=re.MULTILINE)
    wrong_ones = {number for number in numbers if is_wrong(_field(asked, f"Claim {number}"), wrong)}
    return "\n".join(f"{number}. {'not ' * (number in wrong_ones)}supported" for number in dict.fromkeys(numbers))


def chunk(asked: str, wrong: str) -> str:
    """Each segment is one claim, of which the model is sure but where it is wrong."""
    numbered = re.findall(r"^(\d+)\. (.*)$", asked, flags=re.MULTILINE)
    return "\n".join(
        f"{number}. {text} | {'unsure 40' if is_wrong(text, wrong) else 'true 95'}" for number, text in numbered
    )


def claim_verdict(asked: str, wrong: str) -> str:
    return f"Verdict: {'not supported' if is_wrong(_field(asked, 'Claim'), wrong) else 'supported'}"


WRITTEN: dict[str, Callable[[str], str]] = {
    "You take sentences apart": facts,
    "You are given an answer and a statement": lambda asked: _field(asked, "Statement"),
    "You are given a question, the answer to it, and a statement": lambda asked: "relevant",
    "You check statements by searching": query,
    "You are given a question and the answer to it. List": claims,
    "You write queries": queries,
    "You take sentences of an answer apart": sentence,
}
JUDGED: dict[str, Callable[[str, str], str]] = {
    "You judge statements by what searches": verdict,
    "You check a claim": factuality,
    "You check claims by what searches": verdicts,
    "You take answers apart into claims": chunk,
    "You judge claims by passages": claim_verdict,
}
