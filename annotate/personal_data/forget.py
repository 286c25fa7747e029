"""A person is forgotten: what they did stays, under a pseudonym, and their name goes from every row."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.db.models import F, Q
from django.http import HttpRequest

from annotate.administration.accounts import AccountError, deactivate
from annotate.models import (
    AssignmentEvent,
    Dismissal,
    Invitation,
    Message,
    OutsidePerson,
    PersonalExport,
    Release,
    SharedMessage,
    UnitMark,
    User,
)
from annotate.models.people import PSEUDONYM
from annotate.personal_data.exports import delete_exports
from annotate.release.people import roles_of
from audit.models import Action
from audit.record import record
from audit.rename import rename_person


@dataclass(frozen=True)
class Forgotten:
    """pseudonym: the user name from now on. releases: those whose files name the person; files that were given out
    before cannot be changed. entries: of the audit log that were changed."""

    pseudonym: str
    releases: list[Release]
    entries: int


@transaction.atomic
def forget(person: User, request: HttpRequest | None) -> Forgotten:
    """Labels, decisions and all else that they did stay. Raises AccountError as `deactivate` does, and for somebody who
    is forgotten. request: None for a command."""
    if person.is_forgotten:
        raise AccountError(f"{person.username} is forgotten already")
    deactivate(person)
    pseudonym = _free_name(person)
    names = _names_of(person)
    releases = releases_naming(person)
    without_names = _replacer(names, pseudonym)
    _replace_in_words(person, names, without_names)
    _delete_own(person)
    _empty_account(person, pseudonym)
    entries = rename_person(person, names, without_names)
    record(request, Action.FORGOTTEN, person, detail=f"{entries} entries of this log changed")
    return Forgotten(pseudonym, releases, entries)


def releases_naming(person: User) -> list[Release]:
    """Those with names whose version the person had a part in; all others have no names in them."""
    made = Release.objects.filter(names=True).exclude(file="").select_related("version__dataset")
    return [each for each in made if any(person.username in role.people for role in roles_of(each.version))]


def _free_name(person: User) -> str:
    name = f"{PSEUDONYM}{person.pk}"
    while User.objects.filter(username=name).exists():
        name += "-"
    return name


def _names_of(person: User) -> list[str]:
    """As the site knows them, the longest first: of "Ada" and "Ada Byron" nothing is left."""
    known = {person.username, person.first_name, person.last_name, person.get_full_name(), person.email}
    known |= set(EmailAddress.objects.filter(user=person).values_list("email", flat=True))
    for ids in OutsidePerson.objects.filter(person=person).values_list("outside_id", "submission_id"):
        known |= set(ids)
    for account in SocialAccount.objects.filter(user=person):
        known |= {text for text in account.extra_data.values() if isinstance(text, str)} | {account.uid}
    return sorted((name for name in known if name), key=len, reverse=True)


def _replacer(names: list[str], pseudonym: str) -> Callable[[str], str]:
    words = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names))
    return lambda text: words.sub(pseudonym, text)


def _replace_in_words(person: User, names: list[str], without_names: Callable[[str], str]) -> None:
    """In what was written at their tasks, to them or by them, and in invitations."""
    for rows, field in (
        (Message.objects.filter(Q(assignment__annotator=person) | Q(author=person)), "text"),
        (SharedMessage.objects.filter(Q(task__in=person.assignments.values("task")) | Q(author=person)), "text"),
        (UnitMark.objects.filter(assignment__annotator=person), "note"),
        (UnitMark.objects.filter(settled_by=person), "reason"),
        (AssignmentEvent.objects.filter(Q(annotator=person) | Q(who=person)), "note"),
    ):
        for row in rows.only("pk", field).iterator():
            text = without_names(getattr(row, field))
            if text != getattr(row, field):
                rows.model._base_manager.filter(pk=row.pk).update(**{field: text})
    Invitation.objects.filter(Q(accepted_by=person) | Q(email__in=names)).update(name="", email="")
    for invitation in Invitation.objects.exclude(name=""):
        if without_names(invitation.name) != invitation.name:
            Invitation.objects.filter(pk=invitation.pk).update(name="", email="")


def _delete_own(person: User) -> None:
    """What they log in with, the file of their data, and what waits for nobody any more."""
    Session.objects.filter(pk__in=UserSession.objects.filter(user=person).values("session_key")).delete()
    changed = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(User), object_id=str(person.pk))
    changed.update(object_repr=F("object_id"))
    tokens: models.Manager[models.Model] = person.tokens  # of the room `api`, which nothing here may import
    tokens.all().delete()
    OutsidePerson.objects.filter(person=person).update(
        **dict.fromkeys(("outside_id", "submission_id", "study_id", "device_hash", "code"), "")
    )
    delete_exports(PersonalExport.objects.filter(person=person))
    person.recipes.all().delete()
    for model in (Authenticator, SocialAccount, EmailAddress, UserSession, Dismissal):
        model._default_manager.filter(user=person).delete()


def _empty_account(person: User, pseudonym: str) -> None:
    person.username = pseudonym
    person.first_name = person.last_name = person.email = ""
    person.is_staff = person.is_superuser = person.digest = False
    person.language = person.time_zone = ""
    person.keys, person.last_login = {}, None
    person.set_unusable_password()
    person.save()
    person.user_permissions.clear()
    person.groups.clear()
