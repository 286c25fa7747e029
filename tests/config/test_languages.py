"""Pages in the language and the time zone of who reads them."""

import re
from datetime import UTC, datetime

import polib
import pytest
from django.template import engines
from django.test import Client
from django.utils import timezone, translation

from config.languages import asked_language
from core.catalogs import LOCALE
from tests.factories import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def complete(settings):
    """As once German and Chinese are translated whole."""
    settings.COMPLETE_LANGUAGES = ["en", "de", "zh-hans"]
    asked_language.cache_clear()
    yield
    asked_language.cache_clear()


@pytest.fixture
def ada(client: Client):
    ada = make_person("ada")
    client.force_login(ada)
    return ada


def choose(person, **settings):
    for name, value in settings.items():
        setattr(person, name, value)
    person.save()


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("zh-CN,zh;q=0.9", "zh-hans"),
        ("ar,fr;q=0.9", "en"),  # Arabic is not complete, French is not there
        ("fr,de;q=0.1", "de"),
        ("*;;;", "en"),
    ],
)
@pytest.mark.usefixtures("complete")
def test_a_browser_is_answered_in_its_first_complete_language(header, language):
    assert asked_language(header) == language


def test_no_browser_is_answered_in_a_language_that_is_not_complete():
    assert '<html lang="en">' in Client(headers={"Accept-Language": "de"}).get("/login/").text


@pytest.mark.usefixtures("complete")
def test_the_sign_in_page_speaks_as_the_browser_asks():
    assert '<html lang="de">' in Client(headers={"Accept-Language": "de"}).get("/login/").text


@pytest.mark.parametrize(
    ("language", "root"),
    [
        ("", '<html lang="en">'),
        ("en", '<html lang="en">'),
        ("de", '<html lang="de">'),
        ("zh-hans", '<html lang="zh-Hans">'),
        ("ar", '<html lang="ar" dir="rtl">'),
    ],
)
def test_a_page_is_in_the_language_of_the_person(client, ada, language, root):
    choose(ada, language=language)
    assert root in client.get("/account/").text
    assert translation.get_language() == "en"


@pytest.mark.parametrize(
    ("language", "zone"), [("xx", "Europe/Atlantis"), ("../de", "../UTC"), ("<b>", "javascript:alert(1)")]
)
def test_who_has_a_language_or_a_zone_that_is_not_there_reads_english_in_utc(client, ada, language, zone):
    choose(ada, language=language, time_zone=zone)
    assert '<html lang="en">' in client.get("/account/").text


def test_language_and_time_zone_are_chosen_in_the_profile(client, ada):
    sent = {"first_name": "Ada", "language": "de", "time_zone": "Europe/Berlin"}
    assert client.post("/account/profile/", sent).status_code == 302
    ada.refresh_from_db()
    assert (ada.language, ada.time_zone) == ("de", "Europe/Berlin")


def test_a_language_that_is_not_there_is_refused(client, ada):
    assert client.post("/account/profile/", {"language": "xx"}).status_code == 422
    ada.refresh_from_db()
    assert ada.language == ""


@pytest.mark.parametrize(
    ("language", "zone", "shown"),
    [
        ("en", None, "31 December 2026, 23:30 UTC"),
        ("en", "Europe/Berlin", "1 January 2027, 00:30 CET"),  # an hour ahead of UTC in winter
        ("de", "Europe/Berlin", "1. Januar 2027, 00:30 CET"),
        ("zh-hans", "Asia/Shanghai", "2027年1月1日, 07:30 CST"),  # eight hours ahead
    ],
)
def test_a_time_is_written_in_language_and_zone(language, zone, shown):
    at = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)
    template = engines["django"].from_string('{{ at|date:"DATETIME_FORMAT" }}')
    with translation.override(language), timezone.override(zone):
        assert template.render({"at": at}) == shown


def test_the_api_speaks_english_to_everybody(client, ada):
    answer = client.get("/api/v1/datasets/", headers={"Accept-Language": "de"})
    assert answer.json()["title"] == client.get("/api/v1/datasets/").json()["title"]


@pytest.mark.parametrize("catalog", sorted(LOCALE.glob("*/LC_MESSAGES/*.po")), ids=lambda path: f"{path.parts[-3]}")
def test_a_translation_has_the_values_and_the_tags_of_its_text(catalog):
    for entry in polib.pofile(str(catalog)).translated_entries():
        for translated in [entry.msgstr] if entry.msgstr else entry.msgstr_plural.values():
            for kind in (r"%\(\w+\)s", r"</?\w+"):
                assert sorted(re.findall(kind, translated)) == sorted(re.findall(kind, entry.msgid)), entry.msgid
