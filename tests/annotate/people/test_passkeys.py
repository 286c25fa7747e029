"""Log-in by a passkey alone, as one attacks it; tests/browser/test_passkeys.py uses it as people do."""

import json
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth
from django.test import Client, override_settings
from django.urls import reverse

from annotate.models import User
from annotate.people import throttle
from audit.models import Action, AuditEntry

pytestmark = pytest.mark.django_db
WRONG = {
    "id": "AAAA",
    "rawId": "AAAA",
    "type": "public-key",
    "response": {"clientDataJSON": "e30", "authenticatorData": "AAAA", "signature": "AAAA", "userHandle": "MQ"},
}
MALFORMED: list[Any] = [
    [1],
    "text",
    7,
    {"response": 7},
    {"response": []},
    {**WRONG, "response": {}},
    {**WRONG, "response": {**WRONG["response"], "userHandle": 7}},
    {**WRONG, "response": {**WRONG["response"], "userHandle": "____"}},
    {**WRONG, "response": {**WRONG["response"], "userHandle": "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OQ"}},
    {**WRONG, "response": {**WRONG["response"], "clientDataJSON": "W10"}},
    {**WRONG, "response": {**WRONG["response"], "authenticatorData": "A" * 60}},
    WRONG,
]


def attempt(client: Client, credential: Any) -> int:
    client.get(reverse("mfa_login_webauthn"))
    return client.post(reverse("mfa_login_webauthn"), {"credential": json.dumps(credential)}).status_code


@pytest.mark.parametrize("credential", MALFORMED)
def test_what_is_no_credential_is_refused_and_recorded(ada: User, client: Client, credential: Any) -> None:
    assert attempt(client, credential) == 302
    assert client.get(reverse("home")).status_code == 302
    assert AuditEntry.objects.get(action=Action.LOGIN_FAILED).detail == "webauthn"


@pytest.mark.parametrize("credential", MALFORMED)
def test_what_is_no_credential_is_no_passkey(ada: User, client: Client, credential: Any) -> None:
    client.post(reverse("account_login"), {"login": "ada", "password": "ada"})
    client.post(reverse("account_reauthenticate"), {"password": "ada"})
    client.get(reverse("mfa_add_webauthn"))
    fields = {"name": "Telephone", "credential": json.dumps(credential)}
    assert client.post(reverse("mfa_add_webauthn"), fields).status_code == 200
    assert not Authenticator.objects.exists()


def test_failures_are_counted_by_address(ada: User, client: Client) -> None:
    assert [attempt(client, WRONG) for _ in range(21)] == [302] * 20 + [429]
    assert AuditEntry.objects.filter(action=Action.LOGIN_FAILED).count() == 20
    assert AuditEntry.objects.filter(action=Action.LOGIN_REFUSED).count() == 1
    # Passwords are not kept out by it.
    assert client.post(reverse("account_login"), {"login": "ada", "password": "ada"}).status_code == 302


def test_beginnings_are_counted_by_address(client: Client) -> None:
    statuses = [client.get(reverse("mfa_login_webauthn")).status_code for _ in range(61)]
    assert statuses == [200] * 60 + [429]


def accept(monkeypatch: pytest.MonkeyPatch, person: User) -> None:
    """As if the browser had answered with the person's passkey."""
    passkey = Authenticator.objects.create(user=person, type="webauthn", data={"name": "Telephone", "credential": {}})
    monkeypatch.setattr(auth, "parse_authentication_response", lambda response: None)
    monkeypatch.setattr(auth, "extract_user_from_response", lambda response: person)
    monkeypatch.setattr(auth, "complete_authentication", lambda user, response: passkey)


def test_a_good_one_logs_in_and_is_not_counted(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    accept(monkeypatch, ada)
    for _ in range(25):
        client = Client()
        client.post(reverse("mfa_login_webauthn"), {"credential": "[1]"})
        assert client.get(reverse("home")).status_code == 200
    assert AuditEntry.objects.filter(action=Action.LOGIN, object_name="ada").count() == 25
    assert throttle.COOKIE in client.cookies


def test_a_deactivated_person_stays_out(ada: User, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ada.is_active = False
    ada.save()
    accept(monkeypatch, ada)
    client.post(reverse("mfa_login_webauthn"), {"credential": "[1]"})
    assert client.get(reverse("home")).status_code == 302
    assert AuditEntry.objects.filter(action=Action.LOGIN_FAILED).count() == 1


@override_settings(ALLOWED_HOSTS=["localhost"])
def test_the_passkey_is_asked_for_under_the_name_of_the_site(client: Client) -> None:
    options = client.get(reverse("mfa_login_webauthn"), headers={"host": "localhost:8000"}).json()["request_options"]
    assert options["publicKey"]["rpId"] == "localhost"
    assert options["publicKey"]["userVerification"] == "required"


def test_renaming_a_passkey_is_recorded(ada: User, client: Client) -> None:
    passkey = Authenticator.objects.create(user=ada, type="webauthn", data={"name": "Telephone", "credential": {}})
    client.force_login(ada)
    client.post(reverse("account_reauthenticate"), {"password": "ada"})
    client.post(reverse("mfa_edit_webauthn", args=[passkey.pk]), {"name": "Key"})
    entry = AuditEntry.objects.get(action=Action.PASSKEY_RENAMED)
    assert (entry.person, entry.detail) == (ada, "Telephone → Key")
