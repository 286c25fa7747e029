"""A person of a crowd platform begins, or comes back.

An id of a platform can be guessed or known to others. So the browser in which a person began keeps a secret, and the id
opens their work in that browser alone, until an adjudicator lets another one take its place.
"""

from dataclasses import dataclass
from secrets import compare_digest, token_urlsafe

from django.db import transaction
from django.http import HttpRequest, QueryDict
from django.utils.crypto import get_random_string

from annotate.administration.members import join
from annotate.models import OutsidePerson, RecruitmentLink, Role, User, WorkLimit
from annotate.people.names import ALPHABET
from annotate.tasks.serving import is_anything_free
from audit.models import Action
from audit.record import record
from core.secret_keys import hash_of_key

# What MTurk writes in place of the assignment's id while a worker only looks at a task.
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
LONGEST = 100


class BeginError(ValueError):
    """The person cannot begin; the message is a sentence for them."""


@dataclass(frozen=True)
class OutsideIds:
    """What the platform's address says: "" where it does not."""

    person: str
    submission: str
    study: str

    @property
    def is_preview(self) -> bool:
        return self.submission == PREVIEW


def read_ids(link: RecruitmentLink, query: QueryDict, typed: str = "") -> OutsideIds:
    """Of an address; typed: the id that the person wrote, where the address has none. A placeholder that the platform
    did not replace is no id."""
    person, submission, study = (_value(query, name) for name in link.parameters)
    return OutsideIds(person or typed.strip()[:LONGEST], submission, study)


def find_person(link: RecruitmentLink, ids: OutsideIds) -> OutsidePerson | None:
    if not ids.person:
        return None
    return link.people.select_related("person").filter(outside_id=ids.person).first()


def is_device_of(known: OutsidePerson, secret: str) -> bool:
    return bool(known.device_hash) and compare_digest(known.device_hash, hash_of_key(secret))


def check_open(link: RecruitmentLink) -> None:
    """Raises BeginError where nobody begins by the link any more."""
    if link.dataset.archived_at is not None or link.closed_at is not None:
        raise BeginError("This study is closed.")
    if not link.is_open:
        raise BeginError("This study has ended.")
    if link.people.exclude(outcome=OutsidePerson.Outcome.SCREENED).count() >= link.most_people:
        raise BeginError("This study is full: enough people have begun.")


@transaction.atomic
def begin(request: HttpRequest, link: RecruitmentLink, ids: OutsideIds) -> tuple[OutsidePerson, str]:
    """The new person, an annotator of the dataset now, and the secret for their browser. Raises BeginError."""
    # One at a time, so that no more begin than there is room for.
    link = RecruitmentLink.objects.select_for_update(of=("self",)).select_related("dataset").get(pk=link.pk)
    if not ids.person or ids.is_preview:
        raise BeginError("Your id is missing.")
    if find_person(link, ids):
        raise BeginError("Somebody with this id has begun already.")
    check_open(link)
    person = User.objects.create_user(f"{link.platform}-{get_random_string(8, ALPHABET).lower()}")
    join(link.dataset, person, Role.ANNOTATOR)
    if not is_anything_free(link.dataset, person):
        raise BeginError("No task is free at the moment.")
    WorkLimit.objects.create(dataset=link.dataset, annotator=person, quota=link.tasks_each)
    own_code = get_random_string(10, ALPHABET) if link.platform == RecruitmentLink.Platform.MTURK else ""
    known = OutsidePerson.objects.create(
        link=link,
        person=person,
        code=own_code,
        outside_id=ids.person,
        submission_id=ids.submission,
        study_id=ids.study,
    )
    record(request, Action.INVITATION_ACCEPTED, person, detail=f"{link.dataset}: {link.name}")
    return known, bind_device(known)


def bind_device(known: OutsidePerson) -> str:
    """The secret by which the browser proves from now on that the person began in it."""
    secret = token_urlsafe(32)
    OutsidePerson.objects.filter(pk=known.pk).update(device_hash=hash_of_key(secret))
    return secret


def _value(query: QueryDict, name: str) -> str:
    value = query.get(name, "").strip()[:LONGEST] if name else ""
    return "" if value.startswith(("{{", "${")) else value
