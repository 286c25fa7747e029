"""The daily e-mail: for who wants it, once a day, and only while something needs their attention."""

from datetime import date
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.attention.digest import send_digests
from annotate.models import Assignment, Dataset, Role, User
from tests.annotate.qualification.work import work_task
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db
TODAY, TOMORROW = date(2026, 11, 23), date(2026, 11, 24)


@pytest.fixture(autouse=True)
def mail_server(settings) -> None:
    settings.EMAIL_CONFIGURED = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.SITE_URL = "https://touchstone.example"


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset()


@pytest.fixture
def dora(dataset: Dataset) -> User:
    """An adjudicator whose only item is a task that Ada skipped."""
    dora = make_person("dora", dataset, Role.ADJUDICATOR)
    EmailAddress.objects.create(user=dora, email="dora@lab.example", verified=True, primary=True)
    Assignment.objects.create(
        task=work_task(dataset, wants=1),
        annotator=make_person("ada", dataset),
        place=0,
        state="skipped",
        skip_reason="Hard.",
    )
    User.objects.filter(pk=dora.pk).update(digest=True)
    return dora


def test_it_says_what_waits_where_and_how_to_turn_it_off(dataset, dora, mailoutbox):
    assert send_digests(TODAY) == 1
    (mail,) = mailoutbox
    assert mail.to == ["dora@lab.example"]
    assert mail.subject == "Touchstone: 1 item for your attention"
    assert "lab: 1 skipped or expired task needs an annotator." in mail.body
    assert f"https://touchstone.example/datasets/{dataset.pk}/tasks/?state=free" in mail.body
    assert "https://touchstone.example/account/" in mail.body


def test_it_comes_once_a_day(dora, mailoutbox):
    assert [send_digests(TODAY), send_digests(TODAY), send_digests(TOMORROW)] == [1, 0, 1]
    assert len(mailoutbox) == 2


def test_it_is_off_until_somebody_wants_it(dora, mailoutbox):
    User.objects.update(digest=False)
    assert send_digests(TODAY) == 0
    assert mailoutbox == []


def test_an_empty_list_is_not_sent(dora, mailoutbox):
    Assignment.objects.all().delete()
    assert send_digests(TODAY) == 0
    assert mailoutbox == []


def test_nothing_goes_to_an_address_that_nobody_confirmed(dora, mailoutbox):
    EmailAddress.objects.update(verified=False)
    assert send_digests(TODAY) == 0
    assert mailoutbox == []


def test_a_refused_e_mail_is_tried_again_the_same_day(dora, settings, mailoutbox):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert send_digests(TODAY) == 0
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert send_digests(TODAY) == 1


def test_the_command_says_how_many_it_sent(dora):
    out = StringIO()
    call_command("send_digests", stdout=out)
    assert out.getvalue() == "1 e-mail sent.\n"


def test_the_command_refuses_without_a_mail_server(settings):
    settings.EMAIL_CONFIGURED = False
    with pytest.raises(CommandError, match="EMAIL_URL is not set"):
        call_command("send_digests")


def test_the_switch_is_on_the_page_of_the_account(client, dora):
    User.objects.update(digest=False)
    client.force_login(dora)
    assert "Turn it on</button> to get a list" in client.get("/account/").content.decode()
    client.post(reverse("digest"), {"digest": "on"})
    assert User.objects.get(pk=dora.pk).digest
    assert "Turn it off" in client.get("/account/").content.decode()
    client.post(reverse("digest"))
    assert not User.objects.get(pk=dora.pk).digest


def test_there_is_no_switch_where_no_e_mail_is_sent(client, dora, settings):
    settings.EMAIL_CONFIGURED = False
    client.force_login(dora)
    assert "daily e-mail" not in client.get("/account/").content.decode()
