"""A person is forgotten everywhere and their work stays; everybody can take their own data with them."""

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.utils import IntegrityError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.conversation.shared import write_shared_message
from annotate.conversation.thread import write_message
from annotate.models import (
    Assignment,
    Dataset,
    GoldVersion,
    Invitation,
    Label,
    Message,
    PersonalExport,
    Release,
    Role,
    SharedMessage,
    User,
)
from annotate.personal_data.own_data_job import OwnDataJob
from api.models import Token
from audit.models import Action, AuditEntry
from audit.record import record
from backup.tables import models, read_rows
from jobs.work import work_to_the_end
from tests.annotate.labels.script import entry, script_saves
from tests.annotate.labels.work import keys, open_for
from tests.factories import make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db
NAME, FULL, EMAIL = "zuleika.quist", "Zuleika Quist", "zuleika@quist.example"


@pytest.fixture
def dataset() -> Dataset:
    dataset = make_dataset("poems")
    make_response(dataset)
    for text in ("Two.", "Three."):
        make_response(dataset, (text,))
    return dataset


@pytest.fixture
def zuleika(dataset: Dataset) -> User:
    """Wherever a name can be: an account, a submitted task and an open one, a conversation, an invitation, a token, a
    recipe, the audit log, a release with names."""
    person = make_person(NAME, dataset)
    User.objects.filter(pk=person.pk).update(first_name=FULL, email=EMAIL)
    person.refresh_from_db()
    EmailAddress.objects.create(user=person, email=EMAIL, verified=True, primary=True)
    client = Client()
    client.post(reverse("account_login"), {"login": NAME, "password": NAME})
    own = open_for(person, dataset)
    script_saves(own, dict.fromkeys(keys(own), entry("supported")), version=0, submit=True)
    boss = make_person("boss", dataset, Role.ADJUDICATOR)
    write_message(own, person, "I am Zuleika Quist, and unsure.")
    write_message(own, boss, f"Thank you, {NAME}.")
    write_shared_message(own.task, person, "Zuleika Quist thinks that it is odd.")
    Invitation.objects.create(
        dataset=dataset, name=FULL, email=EMAIL, role=Role.ANNOTATOR, token_hash="0", invited_by=boss,
        expires_at=timezone.now(), accepted_at=timezone.now(), accepted_by=person,
    )  # fmt: skip
    ends = timezone.now() + timedelta(days=1)
    # Of a person who was invited again, under a name alone.
    Invitation.objects.create(
        dataset=dataset, name=f"{FULL} (new)", role=Role.ANNOTATOR, token_hash="1", invited_by=boss, expires_at=ends
    )
    recruited = dataset.recruitment_links.create(
        name="pilot", platform="mturk", tasks_each=1, most_people=1, token_hash="2", created_by=boss
    )
    recruited.people.create(person=person, outside_id="zuleika-7", submission_id="quist-7", study_id="zuleika-study")
    Token.objects.create(user=person, name=f"{NAME}'s laptop", hint="t", secret_hash="1", expires_at=ends)
    person.recipes.create(name="poems", document={"title": f"Poems of {FULL}"})
    record(None, Action.LIMIT_SET, dataset, detail=f"{NAME}: $5")
    version = GoldVersion.objects.create(dataset=dataset, name="1.0", revision=1, hash="0" * 64, labels=1)
    for names in (True, False):
        release = Release.objects.create(version=version, names=names, state=Release.State.DONE)
        release.file.save("poems.zip", ContentFile(b"poems"))
    return person


def rows_with(text: str) -> list[str]:
    """The tables that hold it."""
    found = ((model._meta.db_table, b"".join(read_rows(model)).decode()) for model in models())
    return [table for table, rows in found if text.lower() in rows.lower()]


def forget_by_command(name: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("forget_person", name, "--json", stdout=out)
    document: dict[str, Any] = json.loads(out.getvalue())
    return document


def test_a_name_goes_from_every_table_and_the_work_stays(dataset: Dataset, zuleika: User) -> None:
    labels, entries = Label.objects.count(), AuditEntry.objects.count()
    assert len(rows_with("quist")) >= 6

    document = forget_by_command(NAME)

    assert {word: rows_with(word) for word in (NAME, "zuleika", "quist")} == {NAME: [], "zuleika": [], "quist": []}
    pseudonym = f"forgotten-{zuleika.pk}"
    assert document["pseudonym"] == pseudonym
    assert document["releases"] == [{"dataset": "poems", "version": "1.0", "licence": ""}]
    assert Label.objects.filter(assignment__annotator__username=pseudonym).count() == labels > 0
    texts = list(Message.objects.order_by("pk").values_list("text", flat=True))
    assert texts == [f"I am {pseudonym}, and unsure.", f"Thank you, {pseudonym}."]
    assert SharedMessage.objects.get().text == f"{pseudonym} thinks that it is odd."
    # Who did what and when stays in the log, and it says that somebody was forgotten.
    assert AuditEntry.objects.count() == entries + 1
    login = AuditEntry.objects.get(action=Action.LOGIN)
    assert (login.person_id, login.object_name, login.address) == (zuleika.pk, pseudonym, None)
    assert AuditEntry.objects.get(action=Action.LIMIT_SET).detail == f"{pseudonym}: $5"
    assert AuditEntry.objects.get(action=Action.FORGOTTEN).object_name == pseudonym


def test_the_audit_log_is_closed_again_afterwards(zuleika: User) -> None:
    forget_by_command(NAME)
    with pytest.raises(IntegrityError, match="append-only"), connection.cursor() as cursor:
        cursor.execute("UPDATE audit_auditentry SET detail = ''")


def test_whoever_is_forgotten_is_logged_out_and_their_open_work_is_free(dataset: Dataset) -> None:
    ada, client = make_person("ada", dataset), Client()
    client.post(reverse("account_login"), {"login": "ada", "password": "ada"})
    open_for(ada, dataset)
    assert client.get(reverse("home")).status_code == 200
    forget_by_command("ada")
    assert client.get(reverse("home")).status_code == 302
    assert not Assignment.objects.filter(state__in=["open", "reserved"]).exists()


def test_nobody_is_forgotten_twice_and_the_last_administrator_never() -> None:
    User.objects.create_superuser("root", password="root")
    ada = make_person("ada")
    forget_by_command("ada")
    for name, why in (
        ("ada", "Nobody is called ada"),
        (f"forgotten-{ada.pk}", "forgotten already"),
        ("root", "nobody else administers the site"),
    ):
        with pytest.raises(CommandError, match=why):
            forget_by_command(name)
    assert User.objects.get(username="root").is_active


def test_the_page_asks_for_the_name_and_says_which_releases_keep_it(client: Client, zuleika: User) -> None:
    client.force_login(User.objects.create_superuser("root", password="root"))
    address = reverse("account-forget", args=[zuleika.pk])
    assert "1.0" in client.get(address).text
    wrong = client.post(address, {"name": "zuleika"})
    assert (wrong.status_code, f"The name is not {NAME}" in wrong.text) == (422, True)
    assert User.objects.filter(username=NAME).exists()
    done = client.post(address, {"name": NAME}, follow=True)
    assert f"they are forgotten-{zuleika.pk} now" in done.text
    assert "Releases that still hold the name: 1.0 of poems" in done.text.replace("poems 1.0 of", "1.0 of")
    assert not User.objects.filter(username=NAME).exists()
    # On the list of accounts nothing can be done with them any more.
    assert f'forgotten-{zuleika.pk}</th><td></td><td><span class="quiet">Forgotten</span>' in done.text
    assert address not in done.text


def made_for(client: Client) -> bytes:
    """The file that a worker makes once the client has asked for it."""
    asked = client.post(reverse("own-data"), follow=True)
    assert "Waiting for a worker" in asked.text
    export = PersonalExport.objects.get(state="waiting")
    work_to_the_end(OwnDataJob(), export.pk)
    assert "Download the file" in client.get(reverse("own-data")).text
    answer = client.get(reverse("own-data-file"))
    return b"".join(answer.streaming_content)  # type: ignore[attr-defined]


def test_ones_own_data_is_whole_and_nobody_elses(client: Client, dataset: Dataset, zuleika: User) -> None:
    other = make_person("other", dataset)
    own = open_for(other, dataset)
    script_saves(own, dict.fromkeys(keys(own), entry("not_supported", reason="secret of other")), version=0)
    client.force_login(zuleika)

    archive = zipfile.ZipFile(io.BytesIO(made_for(client)))
    account = json.loads(archive.read("account.json"))
    assert (account["user_name"], account["name"], account["datasets"]) == (
        NAME, FULL, [{"role": "annotator", "name": "poems"}],
    )  # fmt: skip
    lists = {
        name.removesuffix(".jsonl"): [json.loads(line) for line in archive.read(name).splitlines()]
        for name in archive.namelist()
        if name.endswith(".jsonl")
    }
    assert len(lists["labels"]) == Label.objects.filter(assignment__annotator=zuleika).count() > 0
    assert {label["value"] for label in lists["labels"]} == {"supported"}
    assert [message["author"] for message in lists["messages"]] == ["you", "somebody else"]
    assert [message["author"] for message in lists["messages_to_all"]] == ["you"]
    assert [task["state"] for task in lists["tasks"]] == ["submitted", "open"]
    assert [recipe["document"] for recipe in lists["recipes"]] == [{"title": f"Poems of {FULL}"}]
    assert "login" in {row["action"] for row in lists["audit"]}
    whole = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert not [word for word in ("secret of other", "boss", "secret_hash") if word in whole]
    assert AuditEntry.objects.filter(action=Action.DOWNLOADED, person=zuleika).exists()


def test_a_new_file_takes_the_place_of_the_last_one(client: Client, zuleika: User) -> None:
    client.force_login(zuleika)
    made_for(client)
    first = PersonalExport.objects.get()
    assert first.file.storage.exists(first.file.name)
    made_for(client)
    second = PersonalExport.objects.get()
    assert not first.file.storage.exists(first.file.name)
    assert (second.written, second.size) == (second.total, second.file.size)
    assert second.total > first.total > 0  # the download of the first is an entry of the audit log


def test_asking_twice_while_a_file_is_made_makes_one(client: Client, zuleika: User) -> None:
    client.force_login(zuleika)
    for _ in range(2):
        client.post(reverse("own-data"))
    export = PersonalExport.objects.get()
    PersonalExport.objects.update(state="leased", lease_owner="w", lease_until=timezone.now(), written=1000, total=4000)
    client.post(reverse("own-data"))
    assert PersonalExport.objects.get() == export
    part = client.get(reverse("own-data"), headers={"HX-Request": "true"})
    assert "1,000 of 4,000 entries" in squeezed(part.text)
    assert "<h1>" not in part.text
    assert client.get(reverse("own-data-file")).status_code == 404


def test_a_file_that_could_not_be_made_or_is_gone_is_made_anew(client: Client, zuleika: User) -> None:
    client.force_login(zuleika)
    PersonalExport.objects.create(person=zuleika, state="failed", error="The disk is full.", settled_at=timezone.now())
    assert "could not be made: The disk is full." in client.get(reverse("own-data")).text
    made_for(client)
    export = PersonalExport.objects.get()
    export.file.storage.delete(export.file.name)
    assert client.get(reverse("own-data-file")).status_code == 404
    made_for(client)


def test_nobody_gets_the_file_of_another(client: Client, dataset: Dataset, zuleika: User) -> None:
    client.force_login(zuleika)
    made_for(client)
    for other in (make_person("other", dataset), User.objects.create_superuser("root")):
        client.force_login(other)
        assert client.get(reverse("own-data-file")).status_code == 404
        assert "Download the file" not in client.get(reverse("own-data")).text


def test_whoever_is_forgotten_leaves_no_file_of_their_data(client: Client, zuleika: User) -> None:
    client.force_login(zuleika)
    made_for(client)
    export = PersonalExport.objects.get()
    forget_by_command(NAME)
    assert not PersonalExport.objects.exists()
    assert not export.file.storage.exists(export.file.name)
