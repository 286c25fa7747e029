"""The dates of documents: read from a file's rows, corrected by it, and no part of what a document is."""

import json
from datetime import date

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotate.models import Role
from knowledge.models import Document, KnowledgeSource
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db

BEE = {"title": "Bee", "text": "Bees dance."}
ANT = {"title": "Ant", "text": "Ants march."}


@pytest.fixture
def bring(tmp_path, capsys):
    def run(*rows):
        path = tmp_path / "pages.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        call_command("import_documents", "insects", str(path), "--json")
        return json.loads(capsys.readouterr().out)

    return run


def dates():
    return dict(Document.objects.values_list("title", "published"))


def test_a_date_or_the_date_of_a_time_is_read(bring):
    bring({**BEE, "date": "2021-10-05"}, {**ANT, "date": "2022-01-31T23:30:00+02:00"})
    assert dates() == {"Bee": date(2021, 10, 5), "Ant": date(2022, 1, 31)}


def test_the_same_rows_with_dates_date_what_is_there_and_change_nothing_else(bring):
    bring(BEE, ANT)
    before = set(Document.objects.values_list("pk", "content_hash", "revision"))

    result = bring({**BEE, "date": "2021-10-05"}, ANT)
    assert (result["created"], result["unchanged"], result["dated"]) == (0, 2, 1)
    assert dates() == {"Bee": date(2021, 10, 5), "Ant": None}
    assert set(Document.objects.values_list("pk", "content_hash", "revision")) == before
    assert KnowledgeSource.objects.get().revision == 1


def test_another_date_stands_in_place_of_the_first_and_none_takes_nothing_away(bring):
    bring({**BEE, "date": "2021-10-05"})
    assert bring({**BEE, "date": "2021-10-06"})["dated"] == 1
    assert bring(BEE)["dated"] == 0
    assert dates() == {"Bee": date(2021, 10, 6)}


@pytest.mark.parametrize("said", ["5/10/2021", "2021-13-01", "2021", "20211005", "2021-10-05 around noon", 2021, None])
def test_what_is_no_date_is_an_error_that_names_the_line(bring, said):
    with pytest.raises(CommandError, match=r"pages.jsonl, line 2: date must be a date such as 2021-10-05"):
        bring(BEE, {**ANT, "date": said})
    assert not Document.objects.exists()


def test_one_document_with_two_dates_is_an_error(bring):
    with pytest.raises(CommandError, match="line 2: 'Bee' is the key of an earlier row with another date"):
        bring({**BEE, "date": "2021-10-05"}, {**BEE, "date": "2021-10-06"})


def test_the_pages_of_the_source_show_it(bring, client: Client):
    bring({**BEE, "date": "2021-10-05"})
    dataset = make_dataset()
    dataset.knowledge_source = KnowledgeSource.objects.get()
    dataset.save()
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    for address in (
        reverse("knowledge", args=[dataset.pk]),
        reverse("document", args=[dataset.pk, Document.objects.get().pk]),
    ):
        assert '<time datetime="2021-10-05">5 October 2021</time>' in client.get(address).text.replace(
            ' class="quiet"', ""
        )
