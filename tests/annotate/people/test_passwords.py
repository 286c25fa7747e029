"""Passwords: the rules for new ones, and their change."""

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from annotate.models import User
from audit.models import Action, AuditEntry
from tests.factories import make_person

pytestmark = pytest.mark.django_db
GOOD = "seven red herons"


@pytest.fixture
def ada() -> User:
    return make_person("ada.lovelace")


@pytest.fixture
def client(ada: User) -> Client:
    client = Client()
    client.post(reverse("account_login"), {"login": ada.username, "password": ada.username})
    return client


def change(client: Client, old: str, new: str) -> str:
    sent = {"oldpassword": old, "password1": new, "password2": new}
    return client.post(reverse("account_change_password"), sent).content.decode()


@pytest.mark.parametrize(
    ("password", "rule"),
    [
        ("eleven char", "at least 12 characters"),
        ("734019562840", "entirely numeric"),
        ("ada.lovelace1", "too similar to the username"),
        ("qwertyuiop123", "too common"),
    ],
)
def test_weak_passwords_are_refused_with_the_rule(ada: User, client: Client, password: str, rule: str) -> None:
    with pytest.raises(ValidationError, match=rule):
        validate_password(password, ada)
    assert rule in change(client, ada.username, password)
    ada.refresh_from_db()
    assert ada.check_password(ada.username)


def test_a_changed_password_ends_all_other_sessions_and_is_recorded(ada: User, client: Client) -> None:
    other = Client()
    other.post(reverse("account_login"), {"login": ada.username, "password": ada.username})
    change(client, ada.username, GOOD)
    assert client.get(reverse("home")).status_code == 200
    assert other.get(reverse("home")).status_code == 302
    entry = AuditEntry.objects.get(action=Action.PASSWORD_CHANGED)
    assert (entry.person, entry.object_name, GOOD in str(vars(entry))) == (ada, ada.username, False)


def test_the_present_password_is_asked_for(ada: User, client: Client) -> None:
    assert "current password" in change(client, "wrong", GOOD)
    ada.refresh_from_db()
    assert not ada.check_password(GOOD)


def test_present_passwords_cannot_be_tried_out(ada: User, client: Client) -> None:
    for _ in range(5):
        change(client, "wrong", GOOD)
    sent = {"oldpassword": ada.username, "password1": GOOD, "password2": GOOD}
    answer = client.post(reverse("account_change_password"), sent)
    assert answer.status_code == 429
    assert "Retry-After" in answer.headers


def test_without_a_password_there_is_none_to_change(client: Client) -> None:
    ben = User.objects.create_user("ben")
    client.force_login(ben)
    assert client.get(reverse("account_change_password")).status_code == 403
