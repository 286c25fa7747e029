import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotate.adjudication.decide import decide
from annotate.adjudication.signatures import last_decided
from annotate.adjudication.whole import settle_removal
from annotate.models import (
    Adjudication,
    Assignment,
    Dataset,
    Edit,
    GoldEdit,
    ReferenceLink,
    Response,
    ResponseLabel,
    Role,
    Sight,
    Signature,
    User,
)
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    dataset = make_dataset()
    dataset.review = "reviewer"
    dataset.save()
    return dataset


@pytest.fixture
def dora(dataset: Dataset, client: Client) -> User:
    dora = make_person("dora", dataset, Role.ADJUDICATOR)
    client.force_login(dora)
    return dora


@pytest.fixture
def response(dataset: Dataset) -> Response:
    response = make_response(dataset)
    task = make_task(response)
    one, two = response.segments.all()
    judge(task, "ada", {one: "supported", two: "not_supported/reasoning"})
    judge(task, "ben", {one: "supported", two: "supported"})
    return response


def sign_as_seen(client: Client, response: Response, note: str) -> HttpResponse:
    """Post what the page of the response asks for."""
    said = {"level": "reviewer", "note": note, "seen": last_decided(response)}
    return client.post(reverse("review-response", args=[response.pk]), said)


def test_what_is_in_dispute_is_named_and_led_to(client, dora, response):
    page = client.get(reverse("review-response", args=[response.pk])).text
    assert "In dispute: settle it" in page
    assert "1 judgement is to be settled before it can be signed" in page
    assert "ada" not in page
    assert Sight.objects.get().what == "labels"


def test_signing_leads_to_the_next_response(client, dora, dataset, response):
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    following = make_response(dataset)
    judge(make_task(following, wants=1), "ada", dict.fromkeys(following.segments.all(), "supported"))

    answer = sign_as_seen(client, response, "Read all of it.")

    assert answer.url == reverse("review-response", args=[following.pk])
    assert Signature.objects.get().who == dora


def test_a_signature_without_a_note_is_refused_in_words(client, dora, response):
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    answer = sign_as_seen(client, response, " ")
    assert answer.status_code == 422
    assert "say what you looked at" in answer.text


def test_the_queue_lists_what_waits_for_a_signature(client, dora, dataset, response):
    assert response.index in client.get(reverse("review", args=[dataset.pk])).text
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    sign_as_seen(client, response, "Read it.")
    assert "Nothing waits for this signature" in client.get(reverse("review", args=[dataset.pk])).text


def test_the_category_the_tag_and_the_rule_stay_with_the_decision(client, dora, dataset, response):
    second = response.segments.all()[1]
    taken = second.labels.get(value="not_supported")
    said = {"choice": taken.pk, "why": "Two is even.", "category": "slip", "tag": "words", "cites": "Rule 2"}
    client.post(reverse("adjudicate-segment", args=[dataset.pk, second.pk]), said)
    decision = Adjudication.objects.get()
    assert (decision.category, decision.cites, decision.gold.get().tag) == ("slip", "Rule 2", "words")
    assert "A slip of an annotator" in client.get(reverse("adjudicate", args=[dataset.pk])).text


def test_a_response_without_labels_cannot_be_signed(client, dora, dataset):
    response = make_response(dataset)
    assert "annotators are not done yet" in client.get(reverse("review-response", args=[response.pk])).text
    answer = sign_as_seen(client, response, "Read it.")
    assert answer.status_code == 422


def test_what_only_one_side_cites_is_marked_and_what_both_cite_is_not(client, dora, dataset, response):
    second = response.segments.all()[1]
    for label in second.labels.all():
        ReferenceLink.objects.create(label=label, position=0, url="https://both.example")
    ReferenceLink.objects.create(label=second.labels.first(), position=1, url="https://one.example")
    page = client.get(reverse("adjudicate-segment", args=[dataset.pk, second.pk])).text
    assert page.count("https://one.example</a>") == 1
    assert page.count('<li class="differs">') == 1
    assert page.count("https://both.example</a>") == 1
    assert "All say alike:" in page


def test_a_page_that_shows_what_is_decided_no_more_cannot_be_signed(client, dora, dataset, response):
    second = response.segments.all()[1]
    gold = decide((second.pk, None), dora, "supported", why="It is.")
    seen = last_decided(response)
    address = reverse("review-response", args=[response.pk])
    assert f'name="seen" value="{seen}"' in client.get(address).text
    decide((second.pk, None), dora, "not_supported", why="It is not.", seen=gold.adjudication_id)
    answer = client.post(address, {"level": "reviewer", "note": "Read it.", "seen": seen})
    assert answer.status_code == 422
    assert "decided meanwhile: look again" in answer.text
    assert "Read it." in answer.text


def test_a_post_that_does_not_say_what_was_seen_is_refused(client, dora, response):
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    answer = client.post(reverse("review-response", args=[response.pk]), {"level": "reviewer", "note": "Read it."})
    assert answer.status_code == 422
    assert "look again" in answer.text
    assert not Signature.objects.exists()


def test_the_form_is_held_back_while_somebody_would_remove_the_response(client, dora, response):
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    place, page = Assignment.objects.first(), reverse("review-response", args=[response.pk])
    assert "Sign as reviewer" in client.get(page).text
    ResponseLabel.objects.create(assignment=place, response=response, keep=False, reason="It is a list.")
    shown = client.get(page).text
    assert "before it can be signed: somebody would remove the response." in shown
    assert "Sign as reviewer" not in shown
    settle_removal(response, dora, keep=True, why="It can be judged.")
    assert "Sign as reviewer" in client.get(page).text


def test_the_form_is_held_back_while_corrections_differ_only(client, dora, response):
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    first, second = Assignment.objects.all()
    page = reverse("review-response", args=[response.pk])
    Edit.objects.create(assignment=first, segment=response.segments.first(), text="One is even.")
    assert "before it can be signed: 1 corrected sentence differs." in client.get(page).text
    Edit.objects.create(assignment=second, segment=response.segments.first(), text="One is even.")
    assert "Sign as reviewer" in client.get(page).text


def test_where_no_signatures_are_asked_for_the_way_leads_to_the_policy(client, dora, dataset):
    dataset.review = "bulk"
    dataset.save()
    page = client.get(reverse("review", args=[dataset.pk])).text
    settings = reverse("dataset-settings", args=[dataset.pk])
    assert f'<a href="{settings}">settings</a>' in page
    assert 'name="review"' in client.get(settings).text


def test_a_corrected_sentence_is_settled_as_one_of_them_as_it_was_or_in_ones_own_words(client, dora, response):
    sentence = response.segments.first()
    first, second = Assignment.objects.all()
    Edit.objects.create(assignment=first, segment=sentence, text="One is even.")
    Edit.objects.create(assignment=second, segment=sentence, text="One was odd.")
    page, settle = (
        reverse("review-response", args=[response.pk]),
        reverse("edit-settle", args=[response.pk, sentence.pk]),
    )
    shown = client.get(page).text
    assert [f'name="text" value="{text}"' in shown for text in ("One is even.", "One was odd.", sentence.text)] == [
        True
    ] * 3
    assert "choose how the sentence should read" in client.post(settle, {"why": "So it is."}, follow=True).text
    assert not GoldEdit.objects.exists()  # nothing chosen removes nothing
    for said in ({"text": sentence.text}, {"text": "", "own": " 1 is odd. "}, {"text": ""}):
        client.post(settle, {**said, "why": "So it is."})
    assert list(GoldEdit.objects.order_by("pk").values_list("text", flat=True)) == [sentence.text, "1 is odd.", ""]
