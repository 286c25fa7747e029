"""What adjudicators set for a dataset."""

import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from tests.annotate.adjudication.work import judge
from tests.annotate.qualification.work import work_task
from tests.factories import add_gold, make_dataset, make_person

pytestmark = pytest.mark.django_db

FILLED = {"review": "reviewer", "hourly_rate": "25.50", "qualification_pass": "0.8", "control_share": "0.1"}


@pytest.fixture
def dataset():
    return make_dataset()


@pytest.fixture
def dora(dataset) -> Client:
    client = Client()
    client.force_login(make_person("dora", dataset, "adjudicator"))
    return client


def shown(dataset, client: Client) -> dict[str, str]:
    """What the page posts beside its fields: what they showed at first."""
    page = client.get(reverse("dataset-settings", args=[dataset.pk])).text
    return dict(re.findall(r'<input type="hidden" name="(initial-\w+)"(?: value="([^"]*)")?', page))


def test_all_of_it_is_stored(dataset, dora):
    dora.post(reverse("dataset-settings", args=[dataset.pk]), {**FILLED, "rebuttal": "on"})
    stored = Dataset.objects.get()
    assert (stored.rebuttal, stored.review, stored.hourly_rate) == (True, "reviewer", Decimal("25.50"))
    assert (stored.qualification_pass, stored.control_share) == (0.8, 0.1)


def test_what_an_error_needs_is_stored(dataset, dora):
    dora.post(
        reverse("dataset-settings", args=[dataset.pk]), {**FILLED, "type_required": "on", "reason_required": "on"}
    )
    stored = Dataset.objects.get()
    assert (stored.type_required, stored.reason_required) == (True, True)


def test_a_type_is_no_setting_of_facts(dora):
    Dataset.objects.update(scheme="factscore")
    page = dora.get(reverse("dataset-settings", args=[Dataset.objects.get().pk])).text
    assert "Reason required" in page and "Type required" not in page


def test_empty_is_no_rate_and_no_qualification(dataset, dora):
    dora.post(reverse("dataset-settings", args=[dataset.pk]), FILLED)
    emptied = {**FILLED, **shown(dataset, dora), "hourly_rate": "", "qualification_pass": ""}
    dora.post(reverse("dataset-settings", args=[dataset.pk]), emptied)
    stored = Dataset.objects.get()
    assert (stored.rebuttal, stored.hourly_rate, stored.qualification_pass) == (False, None, None)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"qualification_pass": "80"}, "less than or equal to 1"),
        ({"control_share": "0.9"}, "less than or equal to 0.5"),
        ({"control_share": ""}, "required"),
        ({"hourly_rate": "-1"}, "greater than or equal to 0"),
        ({"hourly_rate": "12.345"}, "2 decimal places"),
        ({"review": "nobody"}, "Select a valid choice"),
    ],
)
def test_a_wrong_value_says_why_and_nothing_is_stored(dataset, dora, wrong, message):
    untouched = Dataset.objects.get()
    answer = dora.post(reverse("dataset-settings", args=[dataset.pk]), {**FILLED, **wrong})
    assert answer.status_code == 422
    assert message in answer.content.decode()
    stored = Dataset.objects.get()
    assert (stored.review, stored.hourly_rate, stored.control_share) == (untouched.review, None, 0.0)


def test_a_stale_page_changes_only_what_was_changed_on_it(dataset, dora):
    address, seen = reverse("dataset-settings", args=[dataset.pk]), shown(dataset, dora)
    dora.post(address, {**FILLED, **seen, "rebuttal": "on"})
    # A page that was opened before, with another rate; all else on it is as it was then.
    then = {"review": "bulk", "qualification_pass": "", "control_share": "0.0"}
    dora.post(address, {**then, **seen, "hourly_rate": "30"})
    stored = Dataset.objects.get()
    assert (stored.rebuttal, stored.review, stored.hourly_rate) == (True, "reviewer", 30)
    assert (stored.qualification_pass, stored.control_share) == (0.8, 0.1)


def test_a_page_that_is_shown_again_still_knows_what_it_showed_at_first(dataset, dora):
    address, seen = reverse("dataset-settings", args=[dataset.pk]), shown(dataset, dora)
    answer = dora.post(address, {**FILLED, **seen, "hourly_rate": "much"})
    assert '<input type="hidden" name="initial-review" value="bulk"' in answer.text
    assert '<input type="hidden" name="initial-control_share" value="0.0"' in answer.text


def test_gold_that_moves_on_meanwhile_is_not_set_back(dataset, dora):
    form_page = dora.get(reverse("dataset-settings", args=[dataset.pk]))
    assert form_page.status_code == 200
    dataset.next_gold_revision()
    dora.post(reverse("dataset-settings", args=[dataset.pk]), FILLED)
    assert Dataset.objects.get().gold_revision == 1


def test_what_lacks_only_signatures_that_nobody_asks_for_any_more_is_closed(dataset, dora):
    task = work_task(dataset, wants=1)
    segments = list(task.responses.get().segments.all())
    judge(task, "ada", dict.fromkeys(segments, "supported"))
    for segment in segments:
        add_gold(segment, "supported")
    address = reverse("dataset-settings", args=[dataset.pk])
    dora.post(address, FILLED)
    task.refresh_from_db()
    assert task.closed_at is None
    dora.post(address, {**FILLED, "review": "bulk"})
    task.refresh_from_db()
    assert task.closed_at is not None
