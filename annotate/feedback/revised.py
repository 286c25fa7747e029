"""Whether gold changed at a unit since an annotator challenged it, and the decision that changed it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from annotate.cases.addresses import Address, Vote
from annotate.models import Adjudication, Challenge, GoldLabel


class Revised(Enum):
    """WAITING: the challenged label is no longer gold and has no successor: the sentence's facts count one by one."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    WAITING = "waiting"


@dataclass(frozen=True)
class Since:
    """`gold` is in force at the unit, or on its whole sentence; `decision` the last one on either."""

    challenge: Challenge
    standing: Revised
    gold: GoldLabel | None
    decision: Adjudication | None


def revised(challenges: Sequence[Challenge]) -> list[Since]:
    """For each, in order; in two queries for all of them."""
    segments = {each.segment_id for each in challenges}
    gold: dict[Address, list[GoldLabel]] = {}
    for label in GoldLabel.objects.filter(segment__in=segments).order_by("revision"):
        gold.setdefault((label.segment_id, label.fact_id), []).append(label)
    decisions = list(Adjudication.objects.on_values().filter(segment__in=segments).order_by("-pk"))
    return [_since(each, gold, decisions) for each in challenges]


def _since(challenge: Challenge, gold: Mapping[Address, list[GoldLabel]], decisions: Iterable[Adjudication]) -> Since:
    addresses: tuple[Address, Address] = (
        (challenge.segment_id, challenge.fact_id),
        (challenge.segment_id, None),
    )
    history = [label for address in dict.fromkeys(addresses) for label in gold.get(address, ())]
    # Gold of a sentence supersedes that of its facts, so that one at most is in force at any revision.
    then = next((each for each in history if each.in_force_at(challenge.revision)), None)
    now = next((each for each in history if each.superseded is None), None)
    decision = next((each for each in decisions if (each.segment_id, each.fact_id) in addresses), None)
    return Since(challenge, _standing(challenge, then, now), now, decision)


def _standing(challenge: Challenge, then: GoldLabel | None, now: GoldLabel | None) -> Revised:
    if _position(then) == _position(now):
        return Revised.UNCHANGED
    return Revised.WAITING if now is None and challenge.fact_id is not None else Revised.CHANGED


def _position(label: GoldLabel | None) -> tuple[str, str] | None:
    return Vote(label.value, label.error_type).position if label else None
