"""Sessions: how long they last, the list of one's own, and their end on the server."""

import time
from collections.abc import Callable

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.models import User
from annotate.people import sessions
from audit.models import Action, AuditEntry
from tests.factories import make_person

pytestmark = pytest.mark.django_db
DAY = 86_400


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Set the clock of the sessions this many seconds ahead."""
    now, seconds = timezone.now, time.time

    def move(ahead: float) -> None:
        monkeypatch.setattr(sessions.timezone, "now", lambda: now() + timezone.timedelta(seconds=ahead))
        monkeypatch.setattr(sessions, "time", lambda: seconds() + ahead)

    return move


def logged_in(browser: str = "Firefox") -> Client:
    client = Client(headers={"User-Agent": browser})
    client.post(reverse("account_login"), {"login": "ada", "password": "ada"})
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("home")).status_code == 200


def test_a_session_without_use_ends(ada: User, later: Callable[[float], None]) -> None:
    client = logged_in()
    later(13.9 * DAY)
    assert is_in(client)
    later(28 * DAY)
    assert not is_in(client)


def test_a_session_in_use_ends_some_time_after_log_in(ada: User, later: Callable[[float], None]) -> None:
    client = logged_in()
    for day in range(5, 60, 5):
        later(day * DAY)
        assert is_in(client)
    later(60.1 * DAY)
    assert not is_in(client)


def test_a_session_is_prolonged_once_a_day_and_not_with_each_request(ada: User, later: Callable[[float], None]) -> None:
    client = logged_in()
    ends = Session.objects.get().expire_date
    later(0.9 * DAY)
    assert is_in(client)
    assert Session.objects.get().expire_date == ends
    later(1.1 * DAY)
    assert is_in(client)
    assert Session.objects.get().expire_date > ends


def test_a_session_from_before_log_ins_were_dated_is_over(ada: User) -> None:
    client = logged_in()
    session = client.session
    del session[sessions.BEGAN]
    session.save()
    assert not is_in(client)


def test_log_out_ends_the_session_on_the_server(ada: User) -> None:
    client = logged_in()
    key = client.cookies["sessionid"].value
    client.post(reverse("account_logout"))
    client.cookies["sessionid"] = key
    assert not is_in(client)
    assert not Session.objects.exists()


def test_one_sees_ones_sessions_and_ends_one_of_them(ada: User) -> None:
    here, there = logged_in("Firefox"), logged_in("A browser on the train")
    page = here.get(reverse("usersessions_list")).content.decode()
    assert "A browser on the train" in page
    assert "127.0.0.1" in page
    assert "this one" in page
    other = UserSession.objects.get(user_agent="A browser on the train")
    here.post(reverse("usersessions_list"), {"session": other.pk})
    assert is_in(here)
    assert not is_in(there)
    assert AuditEntry.objects.filter(action=Action.SESSIONS_ENDED, person=ada).count() == 1


def test_all_others_end_at_once(ada: User) -> None:
    here, *others = [logged_in() for _ in range(3)]
    here.post(reverse("usersessions_list"))
    assert is_in(here)
    assert not any(is_in(other) for other in others)


@pytest.mark.parametrize("sent", ["ben's", "", "x", "99999999999999999999"])
def test_nobody_ends_the_sessions_of_others(ada: User, sent: str) -> None:
    make_person("ben")
    ben = Client()
    ben.post(reverse("account_login"), {"login": "ben", "password": "ben"})
    number = UserSession.objects.get(user__username="ben").pk if sent == "ben's" else sent
    assert logged_in().post(reverse("usersessions_list"), {"session": number}).status_code == 404
    assert is_in(ben)


def test_a_session_of_somebody_deactivated_is_over(ada: User) -> None:
    client = logged_in()
    User.objects.update(is_active=False)
    assert not is_in(client)


def test_the_page_of_the_account_counts_sessions(ada: User) -> None:
    logged_in()
    page = logged_in().get(reverse("account")).content.decode()
    assert "logged in with 2 browsers" in page
