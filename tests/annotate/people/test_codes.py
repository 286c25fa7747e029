"""Codes of an authenticator: turned on, asked for at log-in, spent, lost."""

import re
from time import time
from types import SimpleNamespace

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from annotate.models import User
from audit.models import Action, AuditEntry

pytestmark = pytest.mark.django_db
FIELDS = {"login": "ada", "password": "ada"}


def stop_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of codes: one made at the end of its half minute would be refused after it."""
    now = time()
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.time", SimpleNamespace(time=lambda: now))


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_clock(monkeypatch)


def code_of(secret: str) -> str:
    """RFC 6238: by RFC 4226's value of the half minute that it is now."""
    return format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))


def turn_on(client: Client) -> str:
    """The secret of the authenticator, which is on by then."""
    client.post(reverse("account_reauthenticate"), {"password": "ada"})
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    assert "<svg" in page
    assert "<?xml" not in page
    secret = re.search(r'<code class="secret">(\w+)</code>', page)[1]
    answer = client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    assert answer.headers["Location"] == reverse("mfa_view_recovery_codes")
    cache.clear()  # a code that was used once would be refused for the rest of its half minute
    return secret


@pytest.fixture
def secret(ada: User, django_capture_on_commit_callbacks) -> str:
    client = Client()
    client.post(reverse("account_login"), FIELDS)
    with django_capture_on_commit_callbacks(execute=True):
        return turn_on(client)


def test_the_value_of_a_code_is_that_of_the_rfc() -> None:
    """RFC 4226, appendix D: the secret 12345678901234567890 and the counters 0 and 1."""
    known = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    assert [format_hotp_value(hotp_value(known, counter)) for counter in (0, 1)] == ["755224", "287082"]


def test_the_password_is_asked_for_again_before_codes_are_turned_on(ada: User, client: Client) -> None:
    client.post(reverse("account_login"), FIELDS)
    assert client.get(reverse("mfa_activate_totp")).headers["Location"].startswith(reverse("account_reauthenticate"))


def test_with_codes_on_the_password_alone_does_not_log_in(secret: str, client: Client) -> None:
    assert client.post(reverse("account_login"), FIELDS).headers["Location"] == reverse("mfa_authenticate")
    assert client.get(reverse("home")).status_code == 302
    log_ins = AuditEntry.objects.filter(action=Action.LOGIN)
    assert log_ins.count() == 1  # the one before codes were turned on
    assert client.post(reverse("mfa_authenticate"), {"code": code_of(secret)}).status_code == 302
    assert log_ins.count() == 2
    assert client.get(reverse("home")).status_code == 200


def test_a_code_is_good_once(secret: str) -> None:
    code = code_of(secret)
    statuses = []
    for _ in range(2):
        client = Client()
        client.post(reverse("account_login"), FIELDS)
        statuses.append(client.post(reverse("mfa_authenticate"), {"code": code}).status_code)
    assert statuses == [302, 200]


def test_codes_cannot_be_tried_out(secret: str, client: Client) -> None:
    client.post(reverse("account_login"), FIELDS)
    wrong = str((int(code_of(secret)) + 1) % 1_000_000).zfill(6)
    statuses = [client.post(reverse("mfa_authenticate"), {"code": wrong}).status_code for _ in range(6)]
    assert statuses == [200] * 5 + [429]
    assert AuditEntry.objects.filter(action=Action.CODE_WRONG, object_name="ada").count() == 5


def test_a_recovery_code_logs_in_once(secret: str, ada: User) -> None:
    codes = Authenticator.objects.get(user=ada, type="recovery_codes").wrap().get_unused_codes()
    assert len(codes) == 10
    statuses = []
    for _ in range(2):
        client = Client()
        client.post(reverse("account_login"), FIELDS)
        statuses.append(client.post(reverse("mfa_authenticate"), {"code": codes[0]}).status_code)
    assert statuses == [302, 200]


def test_secrets_are_not_readable_in_the_database(secret: str, ada: User) -> None:
    assert secret not in str(list(Authenticator.objects.values_list("data", flat=True)))


def test_codes_are_turned_off_and_it_is_recorded(secret: str, ada: User, client: Client) -> None:
    client.post(reverse("account_login"), FIELDS)
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    client.post(reverse("account_reauthenticate"), {"password": "ada"})
    assert client.post(reverse("mfa_deactivate_totp")).status_code == 302
    assert not Authenticator.objects.exists()
    assert set(AuditEntry.objects.filter(person=ada).values_list("action", flat=True)) >= {
        Action.CODES_ON,
        Action.CODES_OFF,
    }


def test_the_admin_pages_ask_for_the_code_too(client: Client) -> None:
    User.objects.create_superuser("ada", password="ada")
    client.post(reverse("account_login"), FIELDS)
    turn_on(client)
    other = Client()
    other.post(f"{reverse('account_login')}?next=/admin/", FIELDS)
    assert other.get("/admin/").status_code == 302
    other.post("/admin/login/", {"username": "ada", "password": "ada"})
    assert other.get("/admin/").status_code == 302


def test_an_administrator_removes_the_authenticator_of_somebody_who_lost_it(secret: str, ada: User) -> None:
    root = Client()
    root.force_login(User.objects.create_superuser("root", password="root"))
    for authenticator in Authenticator.objects.all():
        root.post(f"/admin/mfa/authenticator/{authenticator.pk}/delete/", {"post": "yes"})
    assert not Authenticator.objects.exists()
    assert AuditEntry.objects.filter(action=Action.DELETED, person__username="root").count() == 2
