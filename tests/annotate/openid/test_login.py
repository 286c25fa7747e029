"""Log-in by the identity provider: who gets in, who does not, and what is recorded."""

import json
import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset, Role, User
from annotate.openid import bounded
from annotate.people.sessions import BEGAN
from audit.models import Action, AuditEntry
from tests.annotate.openid.conftest import leave, travel, visit
from tests.annotate.people.test_codes import code_of, stop_clock
from tests.factories import make_dataset, make_person
from tests.fake_provider import SECRET, FakeProvider, new_key

pytestmark = pytest.mark.django_db
NAMES = (
    "openid-login",
    "openid-callback",
    "openid-invitation",
    "openid-account",
    "openid-connect",
    "openid-disconnect",
)


@pytest.fixture
def dataset(db: None) -> Dataset:
    return make_dataset()


@pytest.fixture
def ada(db: None) -> User:
    """She has the address that the provider says of everybody."""
    person = make_person("ada")
    person.email = "ada@university.example"
    person.save()
    return person


def connected(person: User, provider: FakeProvider) -> User:
    SocialAccount.objects.create(user=person, provider=provider.issuer, uid=provider.answers.subject)
    return person


def by_password(name: str) -> Client:
    client = Client()
    client.post(reverse("account_login"), {"login": name, "password": name})
    return client


def invite(dataset: Dataset) -> str:
    """The path of a link."""
    dora = Client()
    dora.force_login(User.objects.filter(username="dora").first() or make_person("dora", dataset, Role.ADJUDICATOR))
    page = dora.post(reverse("invite", args=[dataset.pk]), {"name": "Zoe", "role": Role.ANNOTATOR}).text
    found = re.search(r'value="http://testserver(/invitation/\?key=[^"]+)"', page)
    assert found is not None
    return found[1]


def is_in(client: Client) -> bool:
    return client.get(reverse("home")).status_code == 200


def log_in(client: Client) -> Any:
    return travel(client, reverse("openid-login"))


def details(action: Action) -> list[str]:
    return list(AuditEntry.objects.filter(action=action).values_list("detail", flat=True))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", ["get", "post"])
def test_without_settings_no_address_is_there(ada: User, name: str, method: str) -> None:
    for client in (Client(), by_password("ada")):
        assert getattr(client, method)(reverse(name)).status_code == 404


def test_without_settings_nothing_of_it_is_shown(ada: User, dataset: Dataset) -> None:
    pages = [
        Client().get(reverse("account_login")),
        Client().get(invite(dataset)),
        by_password("ada").get(reverse("account")),
    ]
    assert not [page for page in pages if "provider" in page.text or "Continue with" in page.text]


def test_a_connected_person_logs_in(ada: User, client: Client, provider: FakeProvider) -> None:
    connected(ada, provider)
    assert "Continue with University log-in" in client.get(reverse("account_login")).text
    assert log_in(client)["Location"] == reverse("home")
    assert is_in(client)
    assert details(Action.LOGIN) == ["University log-in"]
    assert UserSession.objects.get().user == ada
    assert client.session[BEGAN] > 0  # from when on the longest time of a session counts


def test_one_arrives_at_the_page_that_one_wanted(ada: User, client: Client, provider: FakeProvider) -> None:
    connected(ada, provider)
    assert travel(client, reverse("openid-login"), next=reverse("account"))["Location"] == reverse("account")


def test_one_does_not_arrive_at_another_site(ada: User, client: Client, provider: FakeProvider) -> None:
    connected(ada, provider)
    assert travel(client, reverse("openid-login"), next="https://elsewhere.example/")["Location"] == reverse("home")


def test_an_unknown_person_is_refused_and_gets_no_account(ada: User, client: Client, provider: FakeProvider) -> None:
    page = log_in(client)
    assert page.status_code == 403
    assert "ask an adjudicator for an invitation" in page.text
    assert not is_in(client)
    assert list(User.objects.all()) == [ada]
    assert not SocialAccount.objects.exists()
    assert details(Action.LOGIN_FAILED) == ["University log-in"]


def test_a_person_of_another_issuer_is_unknown(ada: User, client: Client, provider: FakeProvider) -> None:
    SocialAccount.objects.create(user=ada, provider="https://former.example", uid=provider.answers.subject)
    assert log_in(client).status_code == 403


def test_a_deactivated_person_stays_out(ada: User, client: Client, provider: FakeProvider) -> None:
    connected(ada, provider)
    User.objects.update(is_active=False)
    page = log_in(client)
    assert page.status_code == 403
    assert "deactivated" in page.text
    assert not is_in(client)
    assert AuditEntry.objects.get(action=Action.LOGIN_FAILED).object_name == "ada"


def test_codes_are_asked_for_after_the_provider(
    ada: User, client: Client, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_clock(monkeypatch)
    connected(ada, provider)
    secret = generate_totp_secret()
    TOTP.activate(ada, secret)
    assert log_in(client)["Location"] == reverse("mfa_authenticate")
    assert not is_in(client)
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert is_in(client)
    assert details(Action.LOGIN) == ["University log-in"]


def test_a_log_in_by_password_is_none_by_the_provider(ada: User, provider: FakeProvider) -> None:
    connected(ada, provider)
    assert is_in(by_password("ada"))
    assert details(Action.LOGIN) == [""]


WRONG: dict[str, dict[str, Any]] = {
    "nonce": {"claims": {"nonce": "of another log-in"}},
    "no nonce": {"claims": {"nonce": None}},
    "signature": {"key": new_key},
    "unsigned": {"key": lambda: None, "algorithm": "none"},
    "signed by the secret": {"key": lambda: SECRET, "algorithm": "HS256"},
    "audience": {"claims": {"aud": "another client"}},
    "other party": {"claims": {"aud": ["touchstone", "another client"], "azp": "another client"}},
    "issuer": {"claims": {"iss": "https://elsewhere.example"}},
    "issuer described": {"discovery": {"issuer": "https://elsewhere.example"}},
    "expired": {"claims": {"exp": 1_700_000_000}},
    "no subject": {"claims": {"sub": None}},
    "empty subject": {"claims": {"sub": ""}},
    "long subject": {"claims": {"sub": "x" * 192}},
    "large": {"body": b" " * (600 * 1024)},
    "no JSON": {"body": b"<html>"},
    "list": {"body": b'["access_token"]'},
    "no token": {"body": b'{"access_token": "x"}'},
    "no token at all": {"body": b'{"access_token": "x", "id_token": 7}'},
    "redirects": {"redirects": True},
    "address": {"discovery": {"jwks_uri": "ftp://127.0.0.1/keys"}},
    "list of keys": {"discovery": {"jwks_uri": None}},
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_answer_logs_nobody_in(ada: User, client: Client, provider: FakeProvider, wrong: str) -> None:
    connected(ada, provider)
    back = visit(leave(client, reverse("openid-login")))
    for name, value in WRONG[wrong].items():
        setattr(provider.answers, name, value)
    page = client.get(back)
    assert page.status_code == 502
    assert "gave no valid" in page.text
    assert not is_in(client)
    assert details(Action.LOGIN_FAILED) == ["University log-in"]


def test_an_answer_in_pieces_is_read(ada: User, client: Client, provider: FakeProvider) -> None:
    connected(ada, provider)
    provider.answers.chunked = True
    assert log_in(client)["Location"] == reverse("home")


def test_a_slow_answer_is_given_up(
    client: Client, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bounded, "LIMIT_SECONDS", -1)
    assert client.post(reverse("openid-login")).status_code == 502
    assert "takes too long" in caplog.text


def test_a_wrong_state_is_refused_and_the_provider_not_asked(ada: User, client: Client, provider: FakeProvider) -> None:
    connected(ada, provider)
    back = visit(leave(client, reverse("openid-login")))
    asked = len(provider.asked)
    assert client.get(back + "x").status_code == 400
    assert Client().get(back).status_code == 400
    assert len(provider.asked) == asked
    assert not is_in(client)


def test_a_state_is_good_once(ada: User, client: Client, provider: FakeProvider) -> None:
    connected(ada, provider)
    back = visit(leave(client, reverse("openid-login")))
    assert client.get(back).status_code == 302
    assert client.get(back).status_code == 400


def test_a_log_in_that_the_person_cancels_is_no_failure(client: Client, provider: FakeProvider) -> None:
    provider.answers.error = "access_denied"
    assert log_in(client)["Location"] == reverse("account_login")
    assert details(Action.LOGIN_FAILED) == []


def test_a_provider_that_cannot_be_reached_is_named(client: Client, provider: FakeProvider, settings: Any) -> None:
    settings.OIDC_SERVER = "http://127.0.0.1:1"
    page = client.post(reverse("openid-login"))
    assert page.status_code == 502
    assert "University log-in did not work" in page.text


def test_the_secret_is_neither_logged_nor_shown(
    client: Client, provider: FakeProvider, caplog: pytest.LogCaptureFixture
) -> None:
    back = visit(leave(client, reverse("openid-login")))
    provider.answers.body = json.dumps({"echo": SECRET}).encode()
    page = client.get(back)
    assert "it refused the code" in caplog.text
    assert SECRET not in caplog.text + page.text


def test_failures_are_counted_by_address(client: Client, provider: FakeProvider) -> None:
    assert [log_in(client).status_code for _ in range(21)] == [403] * 20 + [429]
    assert details(Action.LOGIN_REFUSED) == [""]


def test_beginnings_are_counted_by_address(provider: FakeProvider) -> None:
    statuses = [Client().post(reverse("openid-login")).status_code for _ in range(61)]
    assert statuses == [200] * 60 + [429]


def test_an_invitation_makes_an_account_without_a_password(
    dataset: Dataset, client: Client, provider: FakeProvider
) -> None:
    link = invite(dataset)
    assert "Continue with University log-in" in client.get(link).text
    answer = travel(client, link.replace("/invitation/", reverse("openid-invitation")))
    assert answer["Location"] == reverse("openid-account")
    assert not User.objects.filter(username="zoe").exists()
    assert 'value="zoe"' in client.get(reverse("openid-account")).text
    made = client.post(reverse("openid-account"), {"username": "zoe", "name": "Zoe Z."})
    assert made["Location"] == reverse("dataset", args=[dataset.pk])
    zoe = dataset.memberships.get(user__username="zoe").user
    assert (zoe.first_name, zoe.has_usable_password(), zoe.email) == ("Zoe Z.", False, "")
    assert is_in(client)
    assert details(Action.PROVIDER_CONNECTED) == ["University log-in"]
    again = Client()
    log_in(again)
    assert again.get(reverse("account")).context["user"] == zoe


def test_a_name_that_is_taken_is_refused(dataset: Dataset, ada: User, client: Client, provider: FakeProvider) -> None:
    travel(client, invite(dataset).replace("/invitation/", reverse("openid-invitation")))
    page = client.post(reverse("openid-account"), {"username": "ada", "name": ""})
    assert (page.status_code, "is taken" in page.text) == (422, True)
    assert not SocialAccount.objects.exists()


def test_an_invitation_used_since_makes_no_account(dataset: Dataset, client: Client, provider: FakeProvider) -> None:
    link = invite(dataset)
    travel(client, link.replace("/invitation/", reverse("openid-invitation")))
    good = "seven red herons"
    Client().post(link, {"username": "yara", "name": "", "password1": good, "password2": good})
    assert client.post(reverse("openid-account"), {"username": "zoe", "name": ""}).status_code == 410
    assert not User.objects.filter(username="zoe").exists()


def test_one_account_there_makes_one_account_here(dataset: Dataset, provider: FakeProvider) -> None:
    """Though two browsers have come as far as choosing a name."""
    first, second = invite(dataset), invite(dataset)
    here, there = Client(), Client()
    for client, link in ((here, first), (there, second)):
        travel(client, link.replace("/invitation/", reverse("openid-invitation")))
    here.post(reverse("openid-account"), {"username": "zoe", "name": ""})
    page = there.post(reverse("openid-account"), {"username": "yara", "name": ""})
    assert (page.status_code, "is connected to another account here" in page.text) == (422, True)
    assert not User.objects.filter(username="yara").exists()


def test_a_wrong_key_leads_nowhere(client: Client, provider: FakeProvider) -> None:
    assert client.post(reverse("openid-invitation") + "?key=x").status_code == 404
    assert client.get(reverse("openid-account"))["Location"] == reverse("home")


def test_a_connected_person_with_an_invitation_gets_no_second_account(
    dataset: Dataset, ada: User, client: Client, provider: FakeProvider
) -> None:
    connected(ada, provider)
    travel(client, invite(dataset).replace("/invitation/", reverse("openid-invitation")))
    assert "Open the invitation link again" in client.get(reverse("home")).text
    assert User.objects.count() == 2


def confirmed(name: str) -> Client:
    """Logged in by password, who has just given it again."""
    client = by_password(name)
    client.post(reverse("account_reauthenticate"), {"password": name})
    return client


def test_one_connects_and_logs_in_by_it(ada: User, client: Client, provider: FakeProvider) -> None:
    here = confirmed("ada")
    assert travel(here, reverse("openid-connect"))["Location"] == reverse("account")
    page = here.get(reverse("account")).text
    assert "Connected (zoe@university.example)" in page
    assert details(Action.PROVIDER_CONNECTED) == ["University log-in"]
    log_in(client)
    assert client.get(reverse("account")).context["user"] == ada


def test_the_password_is_asked_for_first(ada: User, provider: FakeProvider) -> None:
    connected(ada, provider)
    client = by_password("ada")
    for name in ("openid-connect", "openid-disconnect"):
        assert client.post(reverse(name))["Location"].startswith(reverse("account_reauthenticate"))
    assert SocialAccount.objects.exists()


def test_one_account_there_is_for_one_account_here(ada: User, provider: FakeProvider) -> None:
    connected(make_person("ben"), provider)
    here = confirmed("ada")
    travel(here, reverse("openid-connect"))
    assert "is connected to another account here" in here.get(reverse("account")).text
    assert SocialAccount.objects.get().user.username == "ben"


def test_who_logs_in_as_somebody_else_meanwhile_is_not_connected(ada: User, provider: FakeProvider) -> None:
    make_person("ben")
    here = confirmed("ada")
    back = visit(leave(here, reverse("openid-connect")))
    states = here.session["socialaccount_states"]
    here.force_login(User.objects.get(username="ben"))
    of_ben = here.session
    of_ben["socialaccount_states"] = states
    of_ben.save()
    here.get(back)
    assert not SocialAccount.objects.exists()


def test_one_disconnects(ada: User, client: Client, provider: FakeProvider) -> None:
    connected(ada, provider)
    here = confirmed("ada")
    assert "Disconnect" in here.get(reverse("openid-disconnect")).text
    here.post(reverse("openid-disconnect"))
    assert not SocialAccount.objects.exists()
    assert details(Action.PROVIDER_REMOVED) == ["University log-in"]
    assert log_in(client).status_code == 403


def without_password(person: User, provider: FakeProvider) -> Client:
    person.set_unusable_password()
    person.save()
    connected(person, provider)
    client = Client()
    client.force_login(person)
    return client


def test_the_only_way_to_log_in_is_not_disconnected(ada: User, provider: FakeProvider) -> None:
    here = without_password(ada, provider)
    assert "your only way to log in" in here.get(reverse("openid-disconnect")).text
    here.post(reverse("openid-disconnect"))
    assert SocialAccount.objects.exists()


def test_a_passkey_is_another_way(ada: User, provider: FakeProvider) -> None:
    here = without_password(ada, provider)
    # Confirmed once, while there was nothing to confirm by.
    Authenticator.objects.create(user=ada, type=Authenticator.Type.WEBAUTHN, data={"name": "Key", "credential": {}})
    session = here.session
    session["account_authentication_methods"] = [{"method": "mfa", "at": 9e9, "reauthenticated": True}]
    session["account_authentication_methods_user"] = str(ada.pk)
    session.save()
    here.post(reverse("openid-disconnect"))
    assert not SocialAccount.objects.exists()
    passkey = Authenticator.objects.get()
    here.post(reverse("mfa_remove_webauthn", args=[passkey.pk]))
    assert Authenticator.objects.filter(pk=passkey.pk).exists()
