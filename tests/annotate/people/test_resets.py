"""A forgotten password: a link by e-mail to a confirmed address, or one that somebody makes who gains nothing by it."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client, override_settings
from django.urls import reverse

from annotate.datasets.create import set_right
from annotate.models import Dataset, Role, User
from annotate.people.resets import ResetError, check_reset, reset_path
from audit.models import Action, AuditEntry
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db
GOOD = "seven red herons"
WITH_EMAIL = override_settings(
    EMAIL_CONFIGURED=True, ACCOUNT_EMAIL_NOTIFICATIONS=True, SITE_URL="https://touchstone.example"
)


@pytest.fixture
def lab() -> Dataset:
    return make_dataset()


@pytest.fixture
def ada(lab: Dataset) -> User:
    return make_person("ada", lab)


@pytest.fixture
def dora(lab: Dataset) -> User:
    return make_person("dora", lab, Role.ADJUDICATOR)


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def reset(path: str) -> int:
    """Follow the link and choose a password; the status of the last answer."""
    client = Client()
    first = client.get(path)
    if first.status_code != 302:
        return first.status_code
    return client.post(first["Location"], {"password1": GOOD, "password2": GOOD}).status_code


def has_new_password(person: User) -> bool:
    person.refresh_from_db()
    return person.check_password(GOOD)


def test_an_adjudicator_makes_a_link_and_the_person_chooses(ada: User, dora: User) -> None:
    address = reverse("member-reset", args=[ada.memberships.get().pk])
    assert "/password/" not in client_of(dora).get(address).text
    found = re.search(r'value="http://testserver(/password/[^"]+)"', client_of(dora).post(address).text)
    assert found is not None
    assert reset(found[1]) == 302
    assert has_new_password(ada)
    made, done = AuditEntry.objects.order_by("pk")
    assert (made.action, made.person, made.object_name) == (Action.RESET_LINK, dora, "ada")
    assert (done.action, done.person, done.object_name) == (Action.PASSWORD_RESET, None, "ada")
    assert found[1].split("/")[-2] not in str([vars(made), vars(done)])


def test_a_link_is_good_once(ada: User) -> None:
    path = reset_path(ada)
    reset(path)
    assert "no longer valid" in Client().get(path).text


def test_a_reset_ends_all_sessions(ada: User) -> None:
    client = client_of(ada)
    reset(reset_path(ada))
    assert client.get(reverse("home")).status_code == 302


def test_a_link_ends_with_a_log_in(ada: User) -> None:
    path = reset_path(ada)
    Client().post(reverse("account_login"), {"login": "ada", "password": "ada"})
    ada.refresh_from_db()
    reset(path)
    assert not has_new_password(ada)


@pytest.mark.parametrize("change", ["role", "dataset", "right", "superuser"])
def test_a_link_ends_when_its_account_opens_more(ada: User, lab: Dataset, change: str) -> None:
    path = reset_path(ada)
    if change == "role":
        ada.memberships.update(role=Role.ADJUDICATOR)
    elif change == "dataset":
        make_person("ada", make_dataset("other"))
    elif change == "right":
        set_right(ada, True)
    else:
        User.objects.filter(pk=ada.pk).update(is_superuser=True)
    reset(path)
    assert not has_new_password(ada)


def refused(maker: User, person: User) -> str:
    with pytest.raises(ResetError) as error:
        check_reset(maker, person)
    return str(error.value)


def test_no_adjudicator_opens_the_account_of_another(dora: User, lab: Dataset) -> None:
    assert "is an adjudicator" in refused(dora, make_person("dan", lab, Role.ADJUDICATOR))


def test_no_adjudicator_opens_a_data_set_of_others(ada: User, dora: User) -> None:
    make_person("ada", make_dataset("other"))
    assert "a dataset that you do not administer" in refused(dora, ada)


def test_an_annotator_of_two_data_sets_of_the_adjudicator_gets_a_link(ada: User, dora: User) -> None:
    other = make_dataset("other")
    make_person("ada", other)
    make_person("dora", other, Role.ADJUDICATOR)
    check_reset(dora, ada)


@pytest.mark.parametrize("flag", ["is_superuser", "is_staff"])
def test_no_adjudicator_opens_the_account_of_who_administers_the_site(ada: User, dora: User, flag: str) -> None:
    setattr(ada, flag, True)
    assert "site administrator" in refused(dora, ada)


def test_no_adjudicator_gets_rights_of_others(ada: User, dora: User) -> None:
    set_right(ada, True)
    assert "rights beyond" in refused(dora, ada)


def test_no_adjudicator_opens_an_account_without_a_password(dora: User, lab: Dataset) -> None:
    zoe = User.objects.create_user("zoe")
    lab.memberships.create(user=zoe, role=Role.ANNOTATOR)
    assert "has no password yet" in refused(dora, zoe)
    check_reset(User.objects.create_superuser("root"), zoe)


@WITH_EMAIL
def test_who_can_reset_by_email_does(ada: User, dora: User) -> None:
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=True, primary=True)
    assert "by e-mail" in refused(dora, ada)


def test_a_refusal_makes_no_link(dora: User, lab: Dataset) -> None:
    dan = make_person("dan", lab, Role.ADJUDICATOR)
    answer = client_of(dora).post(reverse("member-reset", args=[dan.memberships.get().pk]))
    assert (answer.status_code, "/password/" in answer.text) == (422, False)
    assert not AuditEntry.objects.exists()


@WITH_EMAIL
def test_a_confirmed_address_gets_a_link(ada: User) -> None:
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=True, primary=True)
    Client().post(reverse("account_reset_password"), {"email": "Ada@example.org"}, HTTP_HOST="localhost")
    (sent,) = mail.outbox
    found = re.search(r"https://touchstone\.example(/password/\S+)", sent.body)
    assert found is not None
    assert sent.to == ["ada@example.org"]
    assert reset(found[1]) == 302
    assert has_new_password(ada)
    assert "Your password was reset." in mail.outbox[-1].body


@WITH_EMAIL
def test_an_address_that_is_not_confirmed_gets_nothing_and_the_page_tells_nobody(ada: User) -> None:
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=False, primary=True)
    address = reverse("account_reset_password")
    answers = [Client().post(address, {"email": email}) for email in ("ada@example.org", "nobody@example.org")]
    assert {answer["Location"] for answer in answers} == {reverse("account_reset_password_done")}
    assert mail.outbox == []


def test_without_a_mail_server_the_page_says_whom_to_ask(ada: User) -> None:
    assert "ask an adjudicator" in Client().get(reverse("account_reset_password")).text
    assert mail.outbox == []


@WITH_EMAIL
def test_a_new_address_counts_once_it_is_confirmed_and_the_old_one_is_told(ada: User) -> None:
    EmailAddress.objects.create(user=ada, email="old@example.org", verified=True, primary=True)
    User.objects.filter(pk=ada.pk).update(email="old@example.org")
    client = Client()
    client.post(reverse("account_login"), {"login": "ada", "password": "ada"})
    client.post(reverse("account_reauthenticate"), {"password": "ada"})
    client.post(reverse("account_email"), {"email": "new@example.org", "action_add": ""})
    assert list(EmailAddress.objects.filter(verified=True).values_list("email", flat=True)) == ["old@example.org"]
    found = re.search(r"https://touchstone\.example(/account/email/confirm/\S+)", mail.outbox[-1].body)
    assert found is not None
    assert "new@example.org" in client.get(found[1]).text
    client.post(found[1])
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("new@example.org", True)]
    assert mail.outbox[-1].to == ["old@example.org"]
    assert AuditEntry.objects.filter(action=Action.EMAIL_CHANGED, object_name="ada").exists()


def test_keys_of_links_are_not_in_the_access_log(ada: User, caplog: pytest.LogCaptureFixture) -> None:
    path = reset_path(ada)
    with caplog.at_level("INFO", logger="touchstone.access"):
        Client().get(path)
    (line,) = [entry.getMessage() for entry in caplog.records if entry.name == "touchstone.access"]
    assert path.split("/")[-2] not in line
