"""Accounts: what superusers give and end, and how one ends one's own."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.administration.accounts import AccountError, deactivate
from annotate.models import Assignment, Role, User
from audit.models import Action, AuditEntry
from tests.annotate.adjudication.work import make_task
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root", password="root"))
    return client


def test_a_superuser_gives_the_right_to_create_data_sets_and_takes_it_back(root: Client) -> None:
    ada = make_person("ada")
    address = reverse("account-change", args=[ada.pk])
    root.post(address, {"right": "1"})
    assert User.objects.get(pk=ada.pk).has_perm("annotate.add_dataset")
    root.post(address, {"right": "0"})
    assert not User.objects.get(pk=ada.pk).has_perm("annotate.add_dataset")
    details = AuditEntry.objects.filter(action=Action.RIGHT_CHANGED).order_by("pk").values_list("detail", flat=True)
    assert list(details) == ["given", "taken back"]


def test_accounts_are_searched(root: Client) -> None:
    make_person("ada")
    make_person("ben")
    page = root.get(reverse("accounts"), {"q": "AD"}).text
    assert ("Allow ada to create" in page, "Allow ben to create" in page) == (True, False)


def test_a_deactivated_account_is_logged_out_and_comes_back(root: Client) -> None:
    ada, client = make_person("ada"), Client()
    client.force_login(ada)
    address = reverse("account-change", args=[ada.pk])
    root.post(address, {"deactivate": "1"})
    assert client.get(reverse("home")).status_code == 302
    root.post(address, {"reactivate": "1"})
    ada.refresh_from_db()
    assert ada.is_active


def test_nobody_ends_their_own_account_by_a_click_on_the_list(root: Client) -> None:
    person = User.objects.get(username="root")
    root.post(reverse("account-change", args=[person.pk]), {"deactivate": "1"})
    person.refresh_from_db()
    assert person.is_active


def test_one_ends_ones_own_account_after_the_password_and_a_tick() -> None:
    ada, client, address = make_person("ada"), Client(), reverse("deactivate")
    client.force_login(ada)
    assert reverse("account_reauthenticate") in client.post(address, {"sure": "1"})["Location"]
    client.post(reverse("account_reauthenticate"), {"password": "ada"})
    assert client.post(address).status_code == 422
    assert client.post(address, {"sure": "1"}).status_code == 302
    ada.refresh_from_db()
    assert not ada.is_active
    assert client.get(reverse("home")).status_code == 302


def test_open_work_of_an_ended_account_is_free(root: Client) -> None:
    dataset = make_dataset()
    ada = make_person("ada", dataset)
    work = Assignment.objects.create(
        task=make_task(make_response(dataset)), annotator=ada, place=0, state="open", lease_until=timezone.now()
    )
    deactivate(ada)
    work.refresh_from_db()
    assert work.state == "lapsed"


def test_the_last_who_administers_the_site_stays() -> None:
    with pytest.raises(AccountError, match="nobody else administers the site"):
        deactivate(User.objects.create_superuser("root"))


def test_the_only_adjudicator_of_others_stays() -> None:
    dataset = make_dataset()
    make_person("ada", dataset)
    with pytest.raises(AccountError, match="nobody else adjudicates lab"):
        deactivate(make_person("dora", dataset, Role.ADJUDICATOR))


def test_the_name_shown_is_ones_own_to_change(client: Client) -> None:
    dataset = make_dataset()
    ada = make_person("ada", dataset)
    client.force_login(ada)
    client.post(reverse("profile"), {"first_name": "Ada L."})
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    assert "Ada L." in client.get(reverse("people", args=[dataset.pk])).text
