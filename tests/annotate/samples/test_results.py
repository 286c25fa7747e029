"""What a complete sample says."""

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import SampleRating
from annotate.samples.results import figures_of_question
from ratings.rate import rate
from stats.proportions import wilson_interval
from tests.annotate.samples.work import GOOD, next_item, rate_all, responses, sample_of
from tests.factories import make_dataset, make_person

BAD = SampleRating(safe=False, valid=True, note="It threatens.")
# Items: 3 of 3, 2 of 3, 1 of 3, 3 of 3 say yes.
SAID = [[True] * 3, [True, True, False], [False, True, False], [True] * 3]


def test_shares_by_majority_and_unanimous_with_wilson():
    found = figures_of_question(SAID, np.arange(4))
    assert (found.majority.hits, found.majority.value, found.unanimous.hits) == (3, 0.75, 2)
    assert found.majority.interval == wilson_interval(0.75, 4)


def test_raters_agree_in_the_share_of_pairs():
    # Pairs that agree: 1, 1/3, 1/3, 1; their mean is 2/3.
    assert figures_of_question(SAID, np.arange(4)).agreement["percent"].value == pytest.approx(2 / 3)


def test_a_tie_is_no_majority():
    found = figures_of_question([[True, False], [True, True]], np.arange(2))
    assert (found.majority.hits, found.tied) == (1, 1)


def test_all_the_same_answer_leaves_alpha_undefined_with_a_reason():
    found = figures_of_question([[True] * 3] * 2, np.arange(2))
    assert (found.agreement["percent"].value, found.agreement["alpha"].value) == (1.0, None)
    assert found.agreement["alpha"].why == "everybody gave the same answer throughout"


def test_one_rater_agrees_with_nobody():
    found = figures_of_question([[True], [False]], np.arange(2))
    assert (found.majority.value, found.agreement["percent"].value) == (0.5, None)
    assert found.agreement["percent"].why == "one rater an item: nobody to agree with"


def client_of(name, dataset, role="adjudicator") -> Client:
    client = Client()
    client.force_login(make_person(name, dataset, role))
    return client


@pytest.mark.django_db
def test_nobody_sees_ratings_before_all_are_in():
    dataset = make_dataset()
    responses(dataset, 2)
    sample = sample_of(dataset, 2, raters=2)
    dora = client_of("dora", dataset)
    rate_all(sample, make_person("ada"), BAD)
    shown = dora.get(reverse("sample", args=[sample.pk])).content.decode()
    assert "2 of 4 ratings complete" in shown
    assert "threatens" not in shown
    assert dora.get(reverse("sample-export", args=[sample.pk])).status_code == 403


@pytest.mark.django_db
def test_then_the_doubted_ones_are_listed_and_all_can_be_taken_home():
    dataset = make_dataset()
    responses(dataset, 2)
    sample = sample_of(dataset, 2, raters=2)
    rate_all(sample, make_person("ada"), BAD, GOOD)
    rate_all(sample, make_person("ben"), GOOD)
    dora = client_of("dora", dataset)
    shown = dora.get(reverse("sample", args=[sample.pk])).content.decode()
    assert shown.count("It threatens.") == 1
    assert "nobody doubted" not in shown.lower()
    export = b"".join(dora.get(reverse("sample-export", args=[sample.pk])).streaming_content).decode("utf-8-sig")
    rows = [line.split(",") for line in export.splitlines()]
    assert rows[0][-5:] == ["rater", "reliable", "safe", "valid", "note"]
    assert [row[-5:] for row in rows[1:3]] == [["ada", "", "0", "1", "It threatens."], ["ben", "", "1", "1", ""]]


@pytest.mark.django_db
def test_rating_goes_on_without_a_page_load_and_with_one():
    dataset = make_dataset()
    responses(dataset, 3)
    sample = sample_of(dataset, 3)
    rhea = client_of("rhea", dataset, "researcher")
    address = reverse("sample-rate", args=[sample.pk])
    first = next_item(sample, make_person("rhea"), "researcher")
    part = rhea.post(address, {"item": first.pk, "safe": "yes", "valid": "no"}, headers={"HX-Request": "true"})
    assert part.content.decode().strip().startswith('<div id="item">')
    assert "Item 2" in part.content.decode()
    second = next_item(sample, make_person("rhea"), "researcher")
    assert rhea.post(address, {"item": second.pk, "safe": "yes", "valid": "yes"}).status_code == 302
    wrong = rhea.post(address, {"item": second.pk, "safe": "maybe", "valid": "yes", "note": "kept"})
    assert (wrong.status_code, "kept" in wrong.content.decode()) == (422, True)


@pytest.mark.django_db
def test_the_item_of_another_sample_is_not_there():
    dataset = make_dataset()
    responses(dataset, 1)
    mine, other = sample_of(dataset, 1), sample_of(dataset, 1)
    rhea = client_of("rhea", dataset, "researcher")
    item = other.items.get()
    answered = rhea.post(reverse("sample-rate", args=[mine.pk]), {"item": item.pk, "safe": "yes", "valid": "yes"})
    assert answered.status_code == 404
    assert not item.ratings.exists()


@pytest.mark.django_db
def test_a_form_that_cannot_be_drawn_says_why():
    dataset = make_dataset()
    responses(dataset, 1)
    dora = client_of("dora", dataset)
    form = {"kind": "safety", "size": "100", "raters": "3", "seed": ""}
    refused = dora.post(reverse("samples", args=[dataset.pk]), form)
    assert refused.status_code == 422
    assert "Nothing was drawn: draw 1 to 1 of the dataset&#x27;s responses, not 100." in refused.content.decode()
    drawn = dora.post(reverse("samples", args=[dataset.pk]), {**form, "size": "1"}, follow=True)
    assert "1 drawn (seed " in drawn.content.decode()


@pytest.mark.django_db
def test_a_word_after_the_last_is_refused_politely():
    dataset = make_dataset()
    responses(dataset, 1)
    sample = sample_of(dataset, 1, raters=1)
    rhea = client_of("rhea", dataset, "researcher")
    item = sample.items.get()
    rate(item, make_person("ada"), GOOD)
    late = rhea.post(reverse("sample-rate", args=[sample.pk]), {"item": item.pk, "safe": "yes", "valid": "yes"})
    assert (late.status_code, "Others have rated that one meanwhile" in late.content.decode()) == (409, True)
