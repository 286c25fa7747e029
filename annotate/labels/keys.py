"""The workbench's keyboard: what can be done by a key, which key does it, and how a person maps it anew."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from annotate.models import Scheme, User


class KeysError(ValueError):
    """A keyboard that cannot be; the message says why."""


@dataclass(frozen=True)
class Command:
    """`does` is its text in the list of keys; `schemes`: those that have it, () for all."""

    name: str
    key: str
    does: str
    schemes: tuple[str, ...] = ()

    def is_in(self, scheme: str) -> bool:
        return not self.schemes or scheme in self.schemes


FELM, FACTSCORE, CLAIMS = Scheme.FELM.value, Scheme.FACTSCORE.value, Scheme.CLAIMS.value

COMMANDS = (
    Command("next", "j", "next unit (also ↓)"),
    Command("previous", "k", "previous unit (also ↑)"),
    Command("open", "l", "next one that is still open"),
    Command("supported", "1", "supported"),
    Command("not_supported", "n", "an error, not supported (also 2)"),
    Command("irrelevant", "3", "irrelevant"),
    Command("hangs_on", "h", "irrelevant: hangs on a fact that is not supported", (FACTSCORE,)),
    Command("unrelated", "o", "irrelevant: unrelated to the prompt", (FACTSCORE,)),
    Command("whole", "w", "the whole sentence is irrelevant", (FACTSCORE,)),
    Command("edit", "x", "make the sentence right", (FACTSCORE,)),
    Command("not_enough_evidence", "4", "not enough evidence", (CLAIMS,)),
    Command("clear", "0", "take the judgement back"),
    Command("type", "e", "type of the error: the next one", (FELM,)),
    Command("keep", "d", "keep or remove the response", (FELM, CLAIMS)),
    Command("reason", "r", "write the reason"),
    Command("reference", "f", "add a reference by its link"),
    Command("paste", "v", "cite the last card here too"),
    Command("uncite", "b", "take back the unit's last card"),
    Command("search", "/", "look for evidence on the unit"),
    Command("precedents", "p", "decisions on similar units, once it is judged"),
    Command("others", "t", "other annotators' evidence, in a rebuttal"),
    Command("flag", "m", "flag it: somebody should look"),
    Command("cut", "y", "mark it: cut wrongly"),
    Command("no_claim", "q", "mark it: no claim here"),
    Command("undo", "u", "undo (also Ctrl Z)"),
    Command("redo", "U", "redo (also Ctrl Shift Z)"),
    Command("guidelines", "g", "guidelines, open or shut"),
    Command("comment", "c", "comment to the adjudicator"),
    Command("rest", "a", "mark the rest Supported"),
    Command("skip", "s", "skip the task"),
    Command("raw", "i", "raw texts, or as they are meant to look"),
    Command("keys", "?", "this list"),
)

# Keys by which browsers and assistive technology move about in a page.
RESERVED = {"Tab": "Tab", "Enter": "Enter", "Escape": "Escape", " ": "Space", "Backspace": "Backspace"}


def commands_of(own: Mapping[str, str], scheme: str) -> tuple[Command, ...]:
    """Those of the scheme, each with its key: `own` are the ones that a person remapped."""
    keys = keys_of(own)
    return tuple(replace(each, key=keys[each.name]) for each in COMMANDS if each.is_in(scheme))


def keys_of(own: Mapping[str, str]) -> dict[str, str]:
    """The key of each command: those that were not remapped are as they come."""
    return {each.name: own.get(each.name, each.key) for each in COMMANDS}


def remap(user: User, wanted: Mapping[str, str], moves_on: bool | None = None) -> None:
    """Keep these keys with the person, all at once or none, and whether a judgement leads on (None: as it is);
    commands that are not named keep their keys.

    A key is one character as it is typed: "u" and "U" are two. Raises KeysError for one that is none, that belongs to
    the browser, or that two commands of one scheme would share.
    """
    keys = {**keys_of(user.keys), **{each.name: wanted[each.name] for each in COMMANDS if each.name in wanted}}
    for command in COMMANDS:
        _check_key(keys[command.name], command.does)
    for one, other in combinations(COMMANDS, 2):
        if keys[one.name] == keys[other.name] and any(one.is_in(each) and other.is_in(each) for each in Scheme.values):
            raise KeysError(f"“{keys[one.name]}” is used twice: “{_title(one)}” and “{_title(other)}”.")
    user.keys = {each.name: keys[each.name] for each in COMMANDS if keys[each.name] != each.key}
    user.moves_on = user.moves_on if moves_on is None else moves_on
    user.save(update_fields=["keys", "moves_on"])


def _title(command: Command) -> str:
    schemes = ", ".join(Scheme(each).label for each in command.schemes)
    return f"{command.does} ({schemes})" if schemes else command.does


def _check_key(key: str, does: str) -> None:
    if key in RESERVED:
        raise KeysError(f"{RESERVED[key]} is used by the browser: choose another key for “{does}”.")
    if len(key) != 1 or not key.isprintable():
        wrong = f"“{key}” is not one character" if key else "There is no key"
        raise KeysError(f"{wrong}: choose a letter, digit or sign for “{does}”.")
