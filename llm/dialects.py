"""How a model at an endpoint wants to be asked: what it refused is left out, or sent as it takes it.

A refusal is read for the parameters that it names (`learn`). What is learnt is kept (llm.models.Adaptation) once a call
was answered with it, so that no later call is refused for the same. What only concerns the length of one prompt is not
kept. The request as asked stays what an answer is stored under.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from llm.faults import Fault

LEFT_OUT, RENAMED, AT_MOST, AT_LEAST, IN_USER_TURN = "left_out", "renamed", "at_most", "at_least", "in_user_turn"
WITHIN = "within"
SYSTEM = "system role"
CONTEXT = "prompt and answer"
LIMIT, NEW_LIMIT = "max_tokens", "max_completion_tokens"  # names of the longest answer
LEAST_TOKENS = 4  # of an answer: room for a verdict
# Of a prompt whose tokens are not known yet: it is taken to be a little longer than one that was counted, and where it
# leaves room for fewer tokens than so many, the server has to say how many.
LONGER = 1.05
LEAST_ROOM = 32
CHARACTERS_PER_TOKEN = (0.5, 10.0)  # of any text
JUST_ABOVE_NOTHING = 0.01  # a temperature

# Without these an answer is not what was asked for, or nothing is asked.
NEEDED = frozenset({"model", "messages", "prompt", "input", "echo", "prompt_logprobs", "stream", "encoding_format"})
SPELLINGS = {
    "logprobs": r"logprobs?|log[ -]?prob(?:abilitie)?s?",
    "stop": r"stop(?: sequences?| words?)?",
    "reasoning_effort": r"reasoning[_ .-]?effort|reasoning|thinking",
    "response_format": r"response[_ -]?format|json[_ -]?(?:schema|mode|object|output)s?|structured[_ -]?outputs?",
}
ASKED = (400, 403, 404, 413, 422)  # refusals that may be of a parameter, and 5xx of servers that break over one

REFUSING = re.compile(
    r"not (?:\w+ )?(?:support|allow|permit|compatib|available|implement|enabled|recogni|accept|valid)|unsupported"
    r"|unknown|unrecogni[sz]ed|unexpected|invalid|extra |disallowed|deprecated|cannot|can't|can not|does ?n[o']t"
    r"|do(?:es)? not|only (?:the )?default|must |should |too (?:large|high|many|big)|instead|forbidden|ignored"
    r"|out of range|exceed|\bno \w+ found",
    flags=re.IGNORECASE,
)
UNKNOWN = re.compile(
    r"not (?:\w+ )?(?:support|allow|permit|compatib|recogni|accept)|unsupported|unknown|unrecogni[sz]ed|unexpected"
    r"|extra |deprecated|instead|does not exist",
    flags=re.IGNORECASE,
)
TOO_LARGE = re.compile(
    r"too (?:large|high|big|long)|exceed|maximum|at most|less than|up to|between|context|range|<|≤", flags=re.IGNORECASE
)
ABOVE_NOTHING = re.compile(
    r"strictly positive|(?:greater|larger|more|higher) than (?:0|zero)|above (?:0|zero)|> ?0(?![.\d])|positive"
    r"|(?:\(|\]) ?0(?:\.0*)? ?,",
    flags=re.IGNORECASE,
)
OF_LENGTH = re.compile(
    r"context[ _](?:length|size|window|limit)|too long|tokens?\b|reduce the length|n_ctx",
    flags=re.IGNORECASE,
)
OF_PROMPT = re.compile(r"context[ _](?:length|size|limit)|prompt|input(?! should)", flags=re.IGNORECASE)
NO_SYSTEM = re.compile(
    r"system[ _-]?(?:role|messages?|prompts?|instructions?|turns?)|developer instruction|['\"`]system['\"`]"
    r"|role:? system|only (?:support )?user(?: and|,) assistant|roles must alternate|must alternate",
    flags=re.IGNORECASE,
)
UNNAMED = re.compile(
    r"(?:unsupported|unknown|requested|provided|these|extra) (?:parameter|argument|field)s", re.IGNORECASE
)
# One of these at a time: the second is left out.
EITHER = ("temperature", "top_p")
NOT_BOTH = re.compile(
    r"\bboth\b|only one\b|\beither\b|mutually exclusive|at the same time|together", flags=re.IGNORECASE
)
NUMBER = re.compile(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w.]*[a-z])", flags=re.IGNORECASE)
RANGE = re.compile(r"([\[(] ?[\d.]+),([\d.]+ ?[\])])")


@dataclass(frozen=True)
class Change:
    """How one parameter is sent otherwise than asked. value: its other name, or the bound; of a context its tokens, and
    the characters for each token of the prompt that did not fit. kept: for later calls too. said: the words of the
    refusal."""

    parameter: str
    way: str
    value: Any = None
    kept: bool = True
    said: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return self.parameter, self.way

    def __str__(self) -> str:
        words = {
            LEFT_OUT: "left out",
            RENAMED: f"sent as {self.value}",
            AT_MOST: f"at most {self.value}",
            AT_LEAST: f"at least {self.value}",
            IN_USER_TURN: "sent in the user's turn",
            WITHIN: f"within {self.value[0] if self.way == WITHIN else 0} tokens",
        }
        return f"{self.parameter} {words[self.way]}"


def apply(body: Mapping[str, Any], changes: Iterable[Change]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The body as the endpoint takes it, and what is changed in it, in words. The changes in the order in which they
    were learnt: what is learnt of a parameter that is sent under another name is learnt under that name. What was
    learnt of this very prompt is more exact than the context."""
    changed = dict(body)
    done = []
    changes = list(changes)
    is_exact = not all(change.kept for change in changes)
    for change in changes:
        if is_exact and change.way == WITHIN:
            continue
        before = changed
        changed = _apply_one(changed, change)
        if changed != before:
            done.append(str(change))
    return changed, tuple(done)


def _apply_one(body: dict[str, Any], change: Change) -> dict[str, Any]:
    name, value = change.parameter, change.value
    if change.way == WITHIN:
        return _within(body, *value)
    if change.way == IN_USER_TURN:
        return {**body, "messages": without_system(body["messages"])} if "messages" in body else body
    if name not in body:
        return body
    if change.way == LEFT_OUT:
        return {other: sent for other, sent in body.items() if other != name}
    if change.way == RENAMED:
        return {value if other == name else other: sent for other, sent in body.items()}
    bounded = min(body[name], value) if change.way == AT_MOST else max(body[name], value)
    return {**body, name: bounded}


def _within(body: dict[str, Any], context: int, characters_per_token: float) -> dict[str, Any]:
    """The body with as long an answer as its prompt leaves room for."""
    name = _limit_in(body)
    prompt = int(LONGER * _characters(body) / characters_per_token) + 1
    room = context - prompt
    return {**body, name: room} if name and LEAST_ROOM <= room < body[name] else body


def _limit_in(body: Mapping[str, Any]) -> str | None:
    return next((name for name in (LIMIT, NEW_LIMIT) if name in body), None)


def _characters(body: Mapping[str, Any]) -> int:
    return sum(len(message["content"]) for message in body.get("messages", ())) + len(body.get("prompt", ""))


def has_left_out(parameter: str, changes: "Changes") -> bool:
    return (parameter, LEFT_OUT) in changes


def without_system(messages: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """System texts before the user's next, and turns of one role that follow each other as one: so roles alternate."""
    turns: list[dict[str, str]] = []
    for message in messages:
        role = "user" if message["role"] in ("system", "developer") else message["role"]
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += f"\n\n{message['content']}"
        else:
            turns.append({**message, "role": role})
    return turns


Changes = Mapping[tuple[str, str], Change]


def learn(changes: Changes, sent: Mapping[str, Any], fault: Fault) -> Changes | None:
    """The changes with which a request may be taken whose body `sent`, after the changes so far, was refused; None
    where the refusal names nothing that can be changed."""
    shorter = sum(not change.kept for change in changes.values())
    new = {change.key: change for change in _changes_after(sent, fault, shorter)}
    for change in list(new.values()):
        first = changes.get((LIMIT, RENAMED)) or changes.get((NEW_LIMIT, RENAMED))
        if change.way == RENAMED and first and first.value == change.parameter:  # it takes neither name
            left_out = Change(first.parameter, LEFT_OUT, said=change.said)
            return {**{key: each for key, each in changes.items() if key != first.key}, left_out.key: left_out}
    learnt = {**changes, **new}
    return learnt if learnt != changes else None


def _changes_after(sent: Mapping[str, Any], fault: Fault, tries: int) -> list[Change]:
    """tries: shorter answers that did not fit."""
    if fault.status not in ASKED and fault.status < 500:
        return []
    if change := _in_user_turn(sent, fault) or _renamed_limit(sent, fault):
        return [change]
    if shorter := _shorter_answer(sent, fault, tries):
        return shorter
    # A refusal that names no parameter, only that there is one, is mostly of the log-probabilities.
    unnamed = ["logprobs"] if "logprobs" in sent and "echo" not in sent and UNNAMED.search(fault.words) else []
    return [change for name in _named(sent, fault) or unnamed for change in _without(name, sent, fault)]


def _in_user_turn(sent: Mapping[str, Any], fault: Fault) -> Change | None:
    roles = [message["role"] for message in sent.get("messages", ())]
    repeated = any(one == other for one, other in pairwise(roles))
    if ("system" in roles or repeated) and NO_SYSTEM.search(fault.words):
        return Change(SYSTEM, IN_USER_TURN, said=fault.message)
    return None


def _renamed_limit(sent: Mapping[str, Any], fault: Fault) -> Change | None:
    for name, other in ((LIMIT, NEW_LIMIT), (NEW_LIMIT, LIMIT)):
        unknown = name in sent and _names(name, fault) and UNKNOWN.search(fault.words)
        if unknown and (other in fault.words or not TOO_LARGE.search(fault.words)):
            return Change(name, RENAMED, other, said=fault.message)
    return None


def _shorter_answer(sent: Mapping[str, Any], fault: Fault, tries: int) -> list[Change]:
    """A shorter longest answer, where the prompt and it do not fit, or it is longer than the model's; and the context,
    where the refusal says how long it is and how long the prompt."""
    name = _limit_in(sent)
    if name is None or not OF_LENGTH.search(fault.words):
        return []
    most = int(sent[name])
    numbers = {int(number) for number in _numbers(fault.words) if number.is_integer()} - {fault.status}
    others = {number for number in numbers if number > 1} - {most}  # 1 is the least of a range
    others -= {number for number in others if number - most in others}  # the sum of prompt and answer
    learnt: list[Change] = []
    if len(others) == 2 and "at least" not in fault.words:
        context, prompt = max(others), min(others)
        room, kept = context - prompt, False
        learnt = _context(sent, fault, context, prompt)
    elif set(_named(sent, fault)) - {LIMIT, NEW_LIMIT}:
        return []
    elif len(others) == 1 and min(others) < most and not OF_PROMPT.search(fault.words):
        room, kept = min(others), True  # the longest answer of the model
    elif fault.status >= 500:
        return []
    else:
        room, kept = most // 4, False
    if tries and not kept:
        room = min(room, most // 4)
    return [*learnt, Change(name, AT_MOST, room, kept, fault.message)] if LEAST_TOKENS <= room < most else []


def _context(sent: Mapping[str, Any], fault: Fault, context: int, prompt: int) -> list[Change]:
    per_token = _characters(sent) / prompt
    least, most = CHARACTERS_PER_TOKEN
    is_plausible = OF_PROMPT.search(fault.words) and least <= per_token <= most
    return [Change(CONTEXT, WITHIN, [context, round(per_token, 3)], said=fault.message)] if is_plausible else []


def _named(sent: Mapping[str, Any], fault: Fault) -> list[str]:
    """The parameters that the refusal names, of those that could be left out."""
    needed = NEEDED | ({"logprobs"} if "echo" in sent else set())
    asked = [name for name in sent if name not in needed and _names(name, fault)]
    if asked == list(EITHER) and NOT_BOTH.search(fault.words):
        return [EITHER[1]]
    # A refusal of every request can name a parameter by the way; then it does not say that it refuses it.
    return asked if fault.status in (400, 422) or REFUSING.search(fault.words) else []


def _names(name: str, fault: Fault) -> bool:
    spelling = SPELLINGS.get(name, re.escape(name).replace("_", "[_ -]?"))
    return bool(re.search(rf"(?<![a-z_])(?:{spelling})(?![a-z_])", fault.words, flags=re.IGNORECASE))


def _without(name: str, sent: Mapping[str, Any], fault: Fault) -> list[Change]:
    """The parameter within its bound, where the refusal names one; else left out."""
    value, said = sent[name], fault.message
    if name == "temperature" and value == 0 and ABOVE_NOTHING.search(fault.words):
        return [Change(name, AT_LEAST, JUST_ABOVE_NOTHING, said=said)]
    names = ("logprobs", "top_logprobs") if name == "logprobs" else (name,)
    for each in names[::-1]:
        if (bound := _bound_below(sent.get(each), fault)) is not None and each != "seed":
            return [Change(each, AT_MOST, bound, said=said)]
    return [Change(each, LEFT_OUT, said=said) for each in names if each in sent]


def _bound_below(value: Any, fault: Fault) -> float | None:
    """The largest number below the value that the refusal names as a bound; None where it names none."""
    if not _is_number(value) or (UNKNOWN.search(fault.words) and not TOO_LARGE.search(fault.words)):
        return None
    below = [bound for bound in _numbers(fault.words) if bound != fault.status and 0 < bound < value]
    if not below:
        return None
    return int(max(below)) if isinstance(value, int) else max(below)


def _numbers(words: str) -> list[float]:
    return [float(number.replace(",", "")) for number in NUMBER.findall(RANGE.sub(r"\1 , \2", words))]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
