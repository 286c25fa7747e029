"""The page on which suggestions are turned on."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset, User
from audit.models import AuditEntry
from tests.annotate.suggestions.work import make_run
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    dataset = make_dataset()
    make_response(dataset)
    return dataset


@pytest.fixture
def root() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root", password="x"))
    return client


def send(client: Client, dataset: Dataset, **setting: object):
    sent = {"suggesting": "before", "suggestion_run": "", "suggestion_withheld": "0.2", **setting}
    return client.post(reverse("suggestions", args=[dataset.pk]), sent)


def test_a_change_is_stored_and_audited(root: Client, dataset: Dataset) -> None:
    run = make_run(dataset)
    assert send(root, dataset, suggestion_run=run.pk, suggestion_withheld="0.5").status_code == 302
    dataset.refresh_from_db()
    found = (dataset.suggesting, dataset.suggestion_run, dataset.suggestion_withheld)
    assert found == ("before", run.pk, 0.5)
    [entry] = AuditEntry.objects.filter(action="suggestions-changed")
    assert entry.detail == f"before, run {run.pk}, withheld in 0.5 of tasks"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({}, "Choose the run that the suggestions come from."),
        ({"suggestion_run": "elsewhere"}, "Select a valid choice."),
        ({"suggesting": "off", "suggestion_withheld": "0.95"}, "less than or equal to 0.9"),
    ],
)
def test_what_cannot_be_changes_nothing_and_says_why(
    root: Client, dataset: Dataset, change: dict[str, object], sentence: str
) -> None:
    elsewhere = make_run(make_dataset("elsewhere"))
    sent = {name: elsewhere.pk if value == "elsewhere" else value for name, value in change.items()}
    answer = send(root, dataset, **sent)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    dataset.refresh_from_db()
    assert (dataset.suggesting, dataset.suggestion_run) == ("off", None)


def test_adjudicators_read_it_and_cannot_change_it(dataset: Dataset) -> None:
    dora = Client()
    dora.force_login(make_person("dora", dataset, "adjudicator"))
    text = dora.get(reverse("suggestions", args=[dataset.pk])).content.decode()
    assert "A site administrator changes this setting." in text
    assert '<form method="post" class="settings"' not in text
    assert send(dora, dataset).status_code == 403
