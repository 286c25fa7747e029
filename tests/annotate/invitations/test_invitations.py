"""People join by a link: once, in time, with an account of their own or a new one."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from annotate.invitations.pasted import read_pasted
from annotate.models import Assignment, Dataset, Invitation, Role, User
from audit.models import Action, AuditEntry
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db
GOOD = "seven red herons"
NEW = {"username": "zoe", "name": "Zoe", "password1": GOOD, "password2": GOOD}


@pytest.fixture(autouse=True)
def no_counts() -> None:
    cache.clear()


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset()


@pytest.fixture
def dora(dataset: Dataset) -> Client:
    return client_of(make_person("dora", dataset, Role.ADJUDICATOR))


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def invite(dora: Client, dataset: Dataset, role: str = Role.ANNOTATOR, email: str = "") -> str:
    """The path of the link."""
    answer = dora.post(reverse("invite", args=[dataset.pk]), {"name": "Zoe", "email": email, "role": role})
    found = re.search(r'value="http://testserver(/invitation/\?key=[^"]+)"', answer.text)
    assert found is not None
    return found[1]


def revoke(dora: Client, dataset: Dataset, invitation: Invitation) -> None:
    dora.post(reverse("invitations-change", args=[dataset.pk]), {"invitation": invitation.pk, "change": "revoke"})


def test_the_invited_person_chooses_user_name_and_password(dora: Client, dataset: Dataset) -> None:
    link, zoe = invite(dora, dataset), Client()
    assert "Zoe" in zoe.get(link).text
    assert zoe.post(link, NEW)["Location"] == reverse("dataset", args=[dataset.pk])
    member = dataset.memberships.get(user__username="zoe")
    assert (member.role, member.user.first_name, member.user.check_password(GOOD)) == (Role.ANNOTATOR, "Zoe", True)
    assert zoe.get(reverse("dataset", args=[dataset.pk])).status_code == 200


def test_the_key_of_the_link_is_stored_nowhere(dora: Client, dataset: Dataset) -> None:
    key = invite(dora, dataset).partition("key=")[2]
    stored = [str(row) for model in (Invitation, AuditEntry) for row in model.objects.values()]
    assert not [row for row in stored if key in row]
    assert key not in dora.get(reverse("people", args=[dataset.pk])).text


def test_a_link_is_used_once(dora: Client, dataset: Dataset) -> None:
    link = invite(dora, dataset)
    Client().post(link, NEW)
    again = Client().post(link, NEW | {"username": "yara"})
    assert again.status_code == 410
    assert "was already used" in again.text
    assert not User.objects.filter(username="yara").exists()


def test_a_revoked_link_makes_no_account(dora: Client, dataset: Dataset) -> None:
    link = invite(dora, dataset)
    dora.post(
        reverse("invitations-change", args=[dataset.pk]),
        {"invitation": Invitation.objects.get().pk, "change": "revoke"},
    )
    assert Client().post(link, NEW).status_code == 410
    assert not User.objects.filter(username="zoe").exists()


def test_a_link_expires(dora: Client, dataset: Dataset) -> None:
    link = invite(dora, dataset)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Client().post(link, NEW).status_code == 410


def test_another_key_leads_nowhere(dora: Client, dataset: Dataset) -> None:
    answer = Client().get(invite(dora, dataset) + "x")
    assert answer.status_code == 404
    assert "This invitation is not valid" in answer.text


def test_somebody_with_an_account_accepts_with_it(dora: Client, dataset: Dataset) -> None:
    ada = make_person("ada")
    link = invite(dora, dataset, Role.RESEARCHER)
    assert "Accept as ada" in client_of(ada).get(link).text
    assert not ada.memberships.exists()
    client_of(ada).post(link)
    assert ada.memberships.get().role == Role.RESEARCHER


@pytest.mark.parametrize("role", [Role.RESEARCHER, Role.ADJUDICATOR])
def test_an_invitation_shows_nobody_what_others_say_of_their_open_work(
    dora: Client, dataset: Dataset, role: str
) -> None:
    ada = make_person("ada", dataset)
    judge(make_task(make_response(dataset)), ada, {})
    ada.memberships.get().delete()
    answer = client_of(ada).post(invite(dora, dataset, role))
    assert answer.status_code == 422
    assert "has open work and would see" in answer.text
    assert not ada.memberships.exists()
    assert Invitation.objects.open().exists()


def test_a_member_gets_no_second_role(dora: Client, dataset: Dataset) -> None:
    ada = make_person("ada", dataset)
    assert client_of(ada).post(invite(dora, dataset, Role.ADJUDICATOR)).status_code == 422
    assert ada.memberships.get().role == Role.ANNOTATOR


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"username": "DORA"}, "This user name is taken"),
        ({"password2": "another one"}, "passwords differ"),
        ({"password1": "short", "password2": "short"}, "at least 12 characters"),
    ],
)
def test_a_faulty_form_keeps_the_invitation(dora: Client, dataset: Dataset, fields: dict[str, str], said: str) -> None:
    answer = Client().post(invite(dora, dataset), NEW | fields)
    assert answer.status_code == 422
    assert said in answer.text
    assert Invitation.objects.open().exists()


def test_invitations_are_recorded_with_their_end(dora: Client, dataset: Dataset) -> None:
    Client().post(invite(dora, dataset), NEW)
    invite(dora, dataset)
    dora.post(
        reverse("invitations-change", args=[dataset.pk]),
        {"invitation": Invitation.objects.open().get().pk, "change": "revoke"},
    )
    actions = AuditEntry.objects.exclude(action=Action.LOGIN).order_by("pk").values_list("action", flat=True)
    assert list(actions) == [
        Action.INVITED,
        Action.INVITATION_ACCEPTED,
        Action.INVITED,
        Action.INVITATION_REVOKED,
    ]


@override_settings(EMAIL_CONFIGURED=True, SITE_URL="https://touchstone.example")
def test_with_a_mail_server_the_link_is_sent(dora: Client, dataset: Dataset) -> None:
    link = mailed(dora, dataset, "zoe@example.org")
    (sent,) = mail.outbox
    assert sent.to == ["zoe@example.org"]
    assert f"https://touchstone.example{link}" in sent.body


def mailed(dora: Client, dataset: Dataset, email: str) -> str:
    """The path of a link that went out by e-mail; the adjudicator does not see it."""
    answer = dora.post(reverse("invite", args=[dataset.pk]), {"name": "Zoe", "email": email, "role": Role.ANNOTATOR})
    found = re.search(r"(/invitation/\?key=\S+)", str(mail.outbox[-1].body))
    assert found is not None
    assert found[1] not in answer.text
    assert f"Sent to {email}" in answer.text
    return found[1]


@override_settings(EMAIL_CONFIGURED=True)
def test_a_link_that_was_sent_is_for_the_owner_of_the_address(dora: Client, dataset: Dataset) -> None:
    link, ada, ben = mailed(dora, dataset, "Ada@example.org"), make_person("ada"), make_person("ben")
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=False)
    EmailAddress.objects.create(user=ben, email="ben@example.org", verified=True)
    for person in (ada, ben):
        answer = client_of(person).post(link)
        assert answer.status_code == 422
        assert "sent to another e-mail address" in answer.text
    EmailAddress.objects.filter(user=ada).update(verified=True)
    assert "log in with it" in Client().post(link, NEW).text, "a new account takes nobody's address"
    assert not User.objects.filter(username="zoe").exists()
    assert client_of(ada).post(link).status_code == 302
    assert list(dataset.memberships.filter(role=Role.ANNOTATOR).values_list("user__username", flat=True)) == ["ada"]


@override_settings(EMAIL_CONFIGURED=True)
def test_a_new_account_has_the_address_that_the_link_was_sent_to(dora: Client, dataset: Dataset) -> None:
    assert Client().post(mailed(dora, dataset, "Zoe@example.org"), NEW).status_code == 302
    zoe = User.objects.get(username="zoe")
    assert zoe.email == "zoe@example.org"
    assert list(EmailAddress.objects.values_list("user", "email", "verified", "primary")) == [
        (zoe.pk, "zoe@example.org", True, True)
    ]


@override_settings(EMAIL_CONFIGURED=True, EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_PORT=1)
def test_a_link_that_could_not_be_sent_is_shown_and_is_for_anybody(dora: Client, dataset: Dataset) -> None:
    link = invite(dora, dataset, email="zoe@example.org")
    assert Invitation.objects.get().email == ""
    assert client_of(make_person("ada")).post(link).status_code == 302


def test_without_a_mail_server_nothing_is_sent(dora: Client, dataset: Dataset) -> None:
    invite(dora, dataset, email="zoe@example.org")
    assert mail.outbox == []
    # The link was shown: the address is nobody's proof, also where a mail server is set up later.
    assert Invitation.objects.get().email == ""


def test_what_happened_to_the_work_of_who_left_and_came_back_is_said(dora: Client, dataset: Dataset) -> None:
    ada = make_person("ada", dataset)
    work = Assignment.objects.create(
        task=make_task(make_response(dataset)), annotator=ada, place=0, state="open", lease_until=timezone.now()
    )
    dora.post(reverse("member-remove", args=[ada.memberships.get().pk]))
    client_of(ada).post(invite(dora, dataset))
    assert "ended when you left" in client_of(ada).get(reverse("work", args=[dataset.pk])).text
    assert "left the" in dora.get(reverse("assign", args=[dataset.pk])).text
    # The place is still free: she takes it up again.
    client_of(ada).get(reverse("assignment", args=[work.key]))
    work.refresh_from_db()
    assert (work.state, work.left_at) == ("open", None)


def test_links_of_an_adjudicator_who_goes_open_nothing(dora: Client, dataset: Dataset) -> None:
    dan = make_person("dan", dataset, Role.ADJUDICATOR)
    link = invite(client_of(dan), dataset, Role.ADJUDICATOR)
    dora.post(reverse("member-remove", args=[dan.memberships.get().pk]))
    assert client_of(dan).post(link).status_code == 410
    assert not dan.memberships.exists()


def test_nobody_leaves_without_a_tick(dora: Client, dataset: Dataset) -> None:
    ada = make_person("ada", dataset)
    address = reverse("member-remove", args=[ada.memberships.get().pk])
    assert address in client_of(ada).get(reverse("account")).text
    assert client_of(ada).post(address, {"sure": ""}).status_code == 422
    assert ada.memberships.exists()
    assert client_of(ada).post(address, {"sure": "1"}).status_code == 302
    assert not ada.memberships.exists()


def test_removing_a_person_asks_first_and_counts_their_open_work(dora: Client, dataset: Dataset) -> None:
    ada = make_person("ada", dataset)
    Assignment.objects.create(task=make_task(make_response(dataset)), annotator=ada, place=0)
    page = dora.get(reverse("member-remove", args=[ada.memberships.get().pk])).text
    assert "1 unsubmitted task" in page
    assert ada.memberships.exists()


def test_nobody_changes_their_own_role(dora: Client, dataset: Dataset) -> None:
    make_person("dan", dataset, Role.ADJUDICATOR)
    own = dataset.memberships.get(user__username="dora")
    assert dora.post(reverse("member-change", args=[own.pk]), {"role": Role.RESEARCHER}).status_code == 422
    own.refresh_from_db()
    assert own.role == Role.ADJUDICATOR


PASTED = """ada@example.org, "Lovelace, Zoe" <zoe@example.org>
nobody
ADA@example.org; mia@example.org bo@example.org"""


def test_each_pasted_address_is_told_what_becomes_of_it(dora: Client, dataset: Dataset) -> None:
    mia = make_person("mia", dataset)
    EmailAddress.objects.create(user=mia, email="mia@example.org", verified=True)
    dataset.invitations.create(
        name="bo@example.org",
        role="annotator",
        token_hash="x",
        invited_by=mia,
        expires_at=timezone.now() + timedelta(1),
    )
    rows = read_pasted(dataset, PASTED)
    assert [(row.line, row.name, row.email, row.outcome.name) for row in rows] == [
        (1, "ada@example.org", "ada@example.org", "NEW"),
        (1, "Lovelace, Zoe", "zoe@example.org", "NEW"),
        (2, "nobody", "nobody", "UNREADABLE"),
        (3, "ADA@example.org", "ADA@example.org", "TWICE"),
        (3, "mia@example.org", "mia@example.org", "MEMBER"),
        (3, "bo@example.org", "bo@example.org", "INVITED"),
    ]


def test_no_more_than_a_hundred_are_invited_at_once(dataset: Dataset) -> None:
    rows = read_pasted(dataset, "\n".join(f"p{number}@example.org" for number in range(101)))
    assert [row.outcome.name for row in rows[-2:]] == ["NEW", "TOO_MANY"]


def test_links_for_many_come_once_in_a_file(dora: Client, dataset: Dataset) -> None:
    page, sent = reverse("invite-many", args=[dataset.pk]), {"addresses": PASTED, "role": "annotator"}
    shown = dora.post(page, sent)
    assert "is no address" in shown.text
    assert not Invitation.objects.exists()
    lines = dora.post(page, sent | {"send": "1"}).getvalue().decode("utf-8-sig").splitlines()
    assert [line.split(",")[0] for line in lines] == [
        "name",
        "ada@example.org",
        '"Lovelace',
        "mia@example.org",
        "bo@example.org",
    ]
    key = re.search(r"(/invitation/\?key=[^,]+)", lines[1])
    assert key is not None
    assert Client().post(key[1], NEW).status_code == 302


@override_settings(EMAIL_CONFIGURED=True)
def test_many_are_invited_by_e_mail_and_sent_again(dora: Client, dataset: Dataset) -> None:
    dora.post(
        reverse("invite-many", args=[dataset.pk]), {"addresses": "a@b.org b@b.org", "role": "annotator", "send": "1"}
    )
    assert [message.to for message in mail.outbox] == [["a@b.org"], ["b@b.org"]]
    numbers = [each.pk for each in Invitation.objects.all()]
    dora.post(reverse("invitations-change", args=[dataset.pk]), {"invitation": numbers, "change": "again"})
    assert len(mail.outbox) == 4
    assert Invitation.objects.open().count() == 2  # of four, for the first two are revoked
    assert not Invitation.objects.filter(pk__in=numbers).open().exists()


def test_invitations_of_another_dataset_are_not_revoked(dora: Client, dataset: Dataset) -> None:
    invite(dora, dataset)
    other = make_dataset("other")
    boss = client_of(make_person("boss", other, Role.ADJUDICATOR))
    boss.post(reverse("invitations-change", args=[other.pk]), {"invitation": Invitation.objects.get().pk})
    assert Invitation.objects.open().count() == 1
