"""Addresses that an adjudicator pastes, each with what becomes of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from annotate.models import Dataset

MOST = 100
LONGEST_NAME = 150
# Commas and semicolons separate addresses, but not inside a quoted name.
PIECE = re.compile(r'(?:"[^"]*"|[^,;"])+')
NAMED = re.compile(r'"?(?P<name>[^"<>]*?)"?\s*<(?P<email>[^<>]*)>')


class Outcome(StrEnum):
    NEW = "will be invited"
    TWICE = "stands here twice"
    MEMBER = "is a member already"
    INVITED = "has an open invitation"
    UNREADABLE = "is no address"
    TOO_MANY = f"is over {MOST} at once"


@dataclass(frozen=True)
class Pasted:
    """One address, in the line (from 1) in which it stands. `name`: as written with it, else the address itself."""

    line: int
    name: str
    email: str
    outcome: Outcome


def read_pasted(dataset: Dataset, text: str) -> list[Pasted]:
    """Each address of the text: `a@b.org`, `Ada <a@b.org>`; separated by lines, commas, semicolons or spaces."""
    found = list(_addresses(text))
    emails = {email.lower() for _, _, email in found}
    confirmed = EmailAddress.objects.filter(verified=True, user__memberships__dataset=dataset)
    members = {email.lower() for email in confirmed.values_list("email", flat=True)} & emails
    open_ones = dataset.invitations.open().values_list("email", "name")
    invited = {value.lower() for pair in open_ones for value in pair} & emails
    seen: set[str] = set()
    rows = []
    for line, name, email in found:
        outcome = _outcome(email, seen, members, invited)
        if outcome == Outcome.NEW:
            seen.add(email.lower())
        rows.append(Pasted(line, (name or email)[:LONGEST_NAME], email, outcome))
    return rows


def _outcome(email: str, seen: set[str], members: set[str], invited: set[str]) -> Outcome:
    try:
        validate_email(email)
    except ValidationError:
        return Outcome.UNREADABLE
    if email.lower() in seen:
        return Outcome.TWICE
    if email.lower() in members:
        return Outcome.MEMBER
    if email.lower() in invited:
        return Outcome.INVITED
    return Outcome.NEW if len(seen) < MOST else Outcome.TOO_MANY


def _addresses(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, name and address; what is none of these stands in the place of the address."""
    for number, line in enumerate(text.splitlines(), start=1):
        for piece in PIECE.findall(line):
            if named := NAMED.fullmatch(piece.strip()):
                yield number, named["name"].strip(), named["email"].strip()
                continue
            for word in piece.split() if "@" in piece else [piece.strip()]:
                if word:
                    yield number, "", word
