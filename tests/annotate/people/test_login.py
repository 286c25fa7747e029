"""Log-in: its limits by name and by address, and what they leave open."""

from collections.abc import Callable
from threading import Barrier, Thread

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotate.models import User
from audit.models import Action, AuditEntry
from tests.factories import make_person

pytestmark = pytest.mark.django_db
BY_NAME, BY_ADDRESS = 5, 20


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that were hashed since."""
    known: list[str] = []
    encode = MD5PasswordHasher.encode

    def note(self: MD5PasswordHasher, password: str, salt: str) -> str:
        known.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", note)
    return known


def log_in(client: Client, name: str, password: str, **sent: str) -> HttpResponse:
    return client.post(reverse("account_login"), {"login": name, "password": password}, **sent)


def fail(times: int, name: str | Callable[[int], str], address: str | Callable[[int], str]) -> list[int]:
    """The statuses of so many wrong log-ins, each from a browser of its own."""
    return [
        log_in(
            Client(),
            name if isinstance(name, str) else name(number),
            "wrong",
            REMOTE_ADDR=address if isinstance(address, str) else address(number),
        ).status_code
        for number in range(times)
    ]


def test_a_right_password_logs_in_and_the_session_gets_another_key(client: Client) -> None:
    make_person("ada")
    session = client.session
    session["before"] = 1
    session.save()
    client.cookies["sessionid"] = before = session.session_key
    assert log_in(client, "ada", "ada").headers["Location"] == reverse("home")
    assert client.session.session_key != before
    assert client.get(reverse("home")).status_code == 200


def test_a_wrong_password_is_said_and_changes_nothing(client: Client) -> None:
    make_person("ada")
    answer = log_in(client, "ada", "wrong")
    assert answer.status_code == 200
    assert b"The name or the password is wrong" in answer.content
    assert client.get(reverse("home")).status_code == 302


def test_too_many_failures_of_one_name_are_refused_without_hashing(hashed: list[str]) -> None:
    make_person("ada")
    hashed.clear()
    assert fail(BY_NAME + 2, "ada", lambda number: f"192.0.2.{number}") == [200] * BY_NAME + [429, 429]
    assert len(hashed) == BY_NAME


def test_too_many_failures_from_one_address_are_refused_without_hashing(hashed: list[str]) -> None:
    assert fail(BY_ADDRESS + 2, lambda number: f"name {number}", "192.0.2.1") == [200] * BY_ADDRESS + [429, 429]
    assert len(hashed) == BY_ADDRESS
    assert fail(1, "another", "192.0.2.2") == [200]


def test_addresses_of_one_network_of_ipv6_count_as_one() -> None:
    assert fail(BY_ADDRESS + 1, lambda number: f"name {number}", lambda number: f"2001:db8::{number + 1:x}")[-1] == 429


def test_the_refusal_is_one_line_with_the_time_to_wait(client: Client) -> None:
    fail(BY_NAME, "ada", "192.0.2.1")
    answer = log_in(client, "ada", "ada")
    assert answer.status_code == 429
    assert b"Too many attempts. Try again in 10 minutes." in answer.content
    assert 0 < int(answer.headers["Retry-After"]) <= 600


def test_good_log_ins_are_not_counted() -> None:
    make_person("ada")
    statuses = [log_in(Client(), "ada", "ada").status_code for _ in range(BY_ADDRESS + 2)]
    assert set(statuses) == {302}


def test_a_good_log_in_does_not_forget_the_failures_before_it() -> None:
    make_person("ada")
    fail(BY_NAME - 1, "ada", "192.0.2.1")
    assert log_in(Client(), "ada", "ada").status_code == 302
    assert fail(2, "ada", "192.0.2.1") == [200, 429]


def test_whoever_tries_passwords_does_not_lock_a_person_out_of_their_own_browser(client: Client) -> None:
    make_person("ada")
    log_in(client, "ada", "ada")
    client.post(reverse("account_logout"))
    fail(BY_ADDRESS + 2, "ada", "127.0.0.1")
    assert log_in(Client(), "ada", "ada").status_code == 429
    assert log_in(client, "ada", "ada").status_code == 302


def test_a_browser_known_for_one_person_is_not_known_for_another() -> None:
    make_person("ada")
    make_person("ben")
    client = Client()
    log_in(client, "ada", "ada")
    client.post(reverse("account_logout"))
    fail(BY_NAME, "ben", "192.0.2.1")
    assert log_in(client, "ben", "ben").status_code == 429


def test_a_known_browser_has_its_limit_too(client: Client) -> None:
    make_person("ada")
    log_in(client, "ada", "ada")
    client.post(reverse("account_logout"))
    statuses = [log_in(client, "ada", "wrong").status_code for _ in range(BY_NAME + 1)]
    assert statuses == [200] * BY_NAME + [429]


def test_what_a_client_says_of_its_address_is_not_believed() -> None:
    for number in range(BY_ADDRESS):
        log_in(Client(), f"name {number}", "wrong", HTTP_X_FORWARDED_FOR=f"192.0.2.{number}")
    assert log_in(Client(), "one more", "wrong", HTTP_X_FORWARDED_FOR="198.51.100.1").status_code == 429


def test_behind_a_proxy_the_address_is_what_the_proxy_says(settings) -> None:
    settings.TRUSTED_PROXIES = 1
    for number in range(BY_ADDRESS):
        log_in(Client(), f"name {number}", "wrong", HTTP_X_FORWARDED_FOR=f"203.0.113.{number}, 192.0.2.1")
    assert log_in(Client(), "one more", "wrong", HTTP_X_FORWARDED_FOR="192.0.2.1").status_code == 429
    assert log_in(Client(), "one more", "wrong", HTTP_X_FORWARDED_FOR="192.0.2.1, 192.0.2.2").status_code == 200


def test_the_admin_pages_have_no_log_in_of_their_own(client: Client) -> None:
    answer = client.post("/admin/login/", {"username": "root", "password": "root"})
    assert answer.headers["Location"].startswith(reverse("account_login"))


def test_people_who_are_deactivated_do_not_get_in(client: Client) -> None:
    User.objects.create_user("ada", password="ada", is_active=False)
    assert log_in(client, "ada", "ada").status_code == 200
    assert client.get(reverse("home")).status_code == 302


def test_log_in_leads_where_somebody_wanted_to_go_but_to_no_other_site(client: Client) -> None:
    make_person("ada")
    fields = {"login": "ada", "password": "ada"}
    assert client.post(reverse("account_login"), {**fields, "next": "/import/"}).headers["Location"] == "/import/"
    elsewhere = Client().post(reverse("account_login"), {**fields, "next": "https://evil.example/"})
    assert elsewhere.headers["Location"] == reverse("home")


def test_nobody_can_sign_up(client: Client) -> None:
    assert client.get("/signup/").status_code == 404
    assert client.get("/accounts/signup/").status_code == 404


def test_log_ins_are_recorded_with_the_account_and_the_address(client: Client) -> None:
    ada = make_person("ada")
    fail(BY_NAME + 3, "ada", "192.0.2.1")
    log_in(client, "ada", "wrong", REMOTE_ADDR="192.0.2.9")
    entries = AuditEntry.objects.order_by("pk").values_list("action", "object_key", "address", "person")
    failed = (Action.LOGIN_FAILED, str(ada.pk), "192.0.2.1", None)
    refused = [(Action.LOGIN_REFUSED, str(ada.pk), address, None) for address in ("192.0.2.1", "192.0.2.9")]
    # However many are refused, one entry for an address.
    assert list(entries) == [failed] * BY_NAME + refused


def test_a_flood_under_many_names_and_addresses_of_a_network_is_recorded_once() -> None:
    fail(BY_ADDRESS + 10, lambda number: f"name {number}", lambda number: f"2001:db8::{number + 1:x}")
    assert AuditEntry.objects.filter(action=Action.LOGIN_REFUSED).count() == 1


def test_a_name_that_nobody_has_is_not_recorded(client: Client) -> None:
    log_in(client, "the password by mistake", "x")
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.object_name, entry.detail) == (Action.LOGIN_FAILED, "", "")


def test_the_counts_are_shared_by_all_web_processes() -> None:
    """By files, which each process reads, and where one `add` of several at once wins."""
    barrier, won = Barrier(8), []

    def add(number: int) -> None:
        barrier.wait()
        won.append(cache.add("one-lock", number))

    for _ in range(20):
        cache.delete("one-lock")
        won.clear()
        threads = [Thread(target=add, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert won.count(True) == 1
