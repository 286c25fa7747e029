import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.adjudication.decide import decide
from annotate.adjudication.whole import settle_edit, settle_removal
from annotate.cases.signatures import last_decided
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
    Segment,
    Signature,
    Task,
    User,
    ViewReceipt,
)
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import make_dataset, make_person, make_response
from tests.pages import squeezed

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
    judge(task, "adelheid", {one: "supported", two: "not_supported/reasoning"})
    judge(task, "ben", {one: "supported", two: "supported"})
    return response


def sign_as_seen(client: Client, response: Response, note: str) -> HttpResponse:
    """Post what the page of the response asks for."""
    data = {"level": "reviewer", "note": note, "seen": last_decided(response)}
    return client.post(reverse("review-response", args=[response.pk]), data)


def test_what_is_in_dispute_is_named_and_led_to(client, dora, response):
    page = squeezed(client.get(reverse("review-response", args=[response.pk])).text)
    assert "In dispute: adjudicate" in page
    assert "1 unit must be adjudicated before the signature" in page
    assert "adelheid" not in page
    assert ViewReceipt.objects.get().what == "labels"


def test_signing_leads_to_the_next_response(client, dora, dataset, response):
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    following = make_response(dataset)
    judge(make_task(following, wants=1), "adelheid", dict.fromkeys(following.segments.all(), "supported"))

    answer = sign_as_seen(client, response, "Read all of it.")

    assert answer.url == reverse("review-response", args=[following.pk])
    assert Signature.objects.get().who == dora


def test_the_form_proposes_the_last_note_and_warns_of_ones_own_decisions(client, dora, dataset, response):
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    following = make_response(dataset)
    judge(make_task(following, wants=1), "adelheid", dict.fromkeys(following.segments.all(), "supported"))
    first = squeezed(client.get(reverse("review-response", args=[response.pk])).text)
    assert "Note (required)" in first
    assert "You made 1 of the decisions here yourself." in first

    sign_as_seen(client, response, "Read all of it.")

    second = squeezed(client.get(reverse("review-response", args=[following.pk])).text)
    assert "data-why>Read all of it.</textarea>" in second
    assert "decisions here yourself" not in second
    client.force_login(make_person("dan", dataset, Role.ADJUDICATOR))
    other = squeezed(client.get(reverse("review-response", args=[response.pk])).text)
    assert "decisions here yourself" not in other


def test_a_signature_without_a_note_is_refused_in_words(client, dora, response):
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    answer = sign_as_seen(client, response, " ")
    assert answer.status_code == 422
    assert "say what you looked at" in answer.text


def test_the_queue_lists_what_waits_for_a_signature(client, dora, dataset, response):
    assert response.index in client.get(reverse("review", args=[dataset.pk])).text
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    sign_as_seen(client, response, "Read it.")
    assert "No responses to sign" in client.get(reverse("review", args=[dataset.pk])).text


def test_the_category_the_tag_and_the_rule_stay_with_the_decision(client, dora, dataset, response):
    second = response.segments.all()[1]
    taken = second.labels.get(value="not_supported")
    data = {"choice": taken.pk, "why": "Two is even.", "category": "slip", "tag": "words", "cites": "Rule 2"}
    client.post(reverse("adjudicate-segment", args=[dataset.pk, second.pk]), data)
    decision = Adjudication.objects.get()
    assert (decision.category, decision.cites, decision.gold.get().tag) == ("slip", "Rule 2", "words")
    assert "An annotator&#x27;s mistake" in client.get(reverse("adjudicate", args=[dataset.pk])).text


def test_a_response_without_labels_cannot_be_signed(client, dora, dataset):
    response = make_response(dataset)
    assert (
        "You can sign this when all its annotators have submitted"
        in client.get(reverse("review-response", args=[response.pk])).text
    )
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
    assert "All agree:" in page


def test_a_page_that_shows_what_is_decided_no_more_cannot_be_signed(client, dora, dataset, response):
    second = response.segments.all()[1]
    gold = decide((second.pk, None), dora, "supported", why="It is.")
    seen = last_decided(response)
    address = reverse("review-response", args=[response.pk])
    assert f'name="seen" value="{seen}"' in client.get(address).text
    decide((second.pk, None), dora, "not_supported", why="It is not.", seen=gold.adjudication_id)
    answer = client.post(address, {"level": "reviewer", "note": "Read it.", "seen": seen})
    assert answer.status_code == 422
    assert "another decision was made in the meantime: reload the page" in answer.text
    assert "Read it." in answer.text


def test_a_post_that_does_not_say_what_was_seen_is_refused(client, dora, response):
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    answer = client.post(reverse("review-response", args=[response.pk]), {"level": "reviewer", "note": "Read it."})
    assert answer.status_code == 422
    assert "reload the page" in answer.text
    assert not Signature.objects.exists()


def test_the_form_is_held_back_while_somebody_would_remove_the_response(client, dora, response):
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    place, page = Assignment.objects.first(), reverse("review-response", args=[response.pk])
    assert "Sign as reviewer" in client.get(page).text
    ResponseLabel.objects.create(assignment=place, response=response, keep=False, reason="It is a list.")
    html = client.get(page).text
    assert "before the signature: somebody would remove the response." in html
    assert "Sign as reviewer" not in html
    settle_removal(response, dora, keep=True, why="It can be judged.")
    assert "Sign as reviewer" in client.get(page).text


def test_the_form_is_held_back_while_corrections_differ_only(client, dora, response):
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    first, second = Assignment.objects.all()
    page = reverse("review-response", args=[response.pk])
    Edit.objects.create(assignment=first, segment=response.segments.first(), text="One is even.")
    assert "before the signature: 1 corrected sentence differs." in client.get(page).text
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
    html = client.get(page).text
    assert [f'name="text" value="{text}"' in html for text in ("One is even.", "One was odd.", sentence.text)] == [
        True
    ] * 3
    refused = client.post(settle, {"why": "So it is.", "seen": last_decided(response)})
    assert "choose a correction" in refused.text
    assert not GoldEdit.objects.exists()  # nothing chosen removes nothing
    for fields in ({"text": sentence.text}, {"text": "", "own": " 1 is odd. "}, {"text": ""}):
        client.post(settle, {**fields, "why": "So it is.", "seen": last_decided(response)})
    assert list(GoldEdit.objects.order_by("pk").values_list("text", flat=True)) == [sentence.text, "1 is odd.", ""]


@pytest.fixture
def corrected(response: Response) -> Segment:
    """The first sentence, as Ada makes it right; Ben leaves it."""
    sentence = response.segments.first()
    Edit.objects.create(assignment=Assignment.objects.first(), segment=sentence, text="One is even.")
    return sentence


def test_a_correction_that_is_refused_stays_in_its_form(client, dora, response, corrected):
    settle = reverse("edit-settle", args=[response.pk, corrected.pk])
    data = {"text": "One is even.", "own": "1 is odd.", "why": " ", "seen": last_decided(response)}
    answer = client.post(settle, data)
    assert answer.status_code == 422
    assert "Not saved: say why" in squeezed(answer.text)
    assert '<input type="text" name="own" maxlength="10000" value="1 is odd.">' in squeezed(answer.text)
    assert '<input type="radio" name="text" value="One is even." checked>' in squeezed(answer.text)
    assert not GoldEdit.objects.exists()


def test_a_correction_is_not_settled_over_one_that_was_not_seen(client, dora, response, corrected):
    page = client.get(reverse("review-response", args=[response.pk])).text
    seen = last_decided(response)
    assert page.count(f'name="seen" value="{seen}"') == 2  # of the correction and of the removal
    settle_edit(corrected.pk, make_person("sue"), "1 is odd.", "I was first.")
    settle = reverse("edit-settle", args=[response.pk, corrected.pk])
    answer = client.post(settle, {"text": "One is even.", "why": "And I second.", "seen": seen})
    assert answer.status_code == 422
    assert (
        "another decision was made in the meantime: reload the page" in answer.text
        and 'value="And I second."' in answer.text
    )
    assert GoldEdit.objects.get().text == "1 is odd."
    client.post(settle, {"text": "One is even.", "why": "And I second.", "seen": last_decided(response)})
    assert GoldEdit.objects.current().get().text == "One is even."


def test_a_removal_is_not_taken_back_by_a_page_that_does_not_show_it(client, dora, response):
    seen = last_decided(response)
    settle_removal(response, make_person("sue"), keep=False, why="It asks for nothing.")
    settle = reverse("removal-settle", args=[response.pk])
    for fields in ({"seen": seen}, {}):
        answer = client.post(settle, {"keep": "yes", "why": "A fair question.", **fields})
        assert answer.status_code == 422
        assert "another decision was made in the meantime: reload the page" in answer.text
        assert '<details class="removal" open>' in answer.text and 'value="A fair question."' in answer.text
    assert response.removals.get().keep is False


def test_a_refused_wish_to_remove_stays_one(client, dora, response):
    settle = reverse("removal-settle", args=[response.pk])
    answer = client.post(settle, {"keep": "no", "why": " ", "seen": last_decided(response)})
    assert answer.status_code == 422
    assert 'value="no" checked' in squeezed(answer.text) and 'value="yes" checked' not in squeezed(answer.text)


def test_a_note_stays_where_the_response_can_be_signed_no_more(client, dora, response):
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    seen = last_decided(response)
    ResponseLabel.objects.create(assignment=Assignment.objects.first(), response=response, keep=False, reason="A list.")
    data = {"level": "reviewer", "note": "Read all of it.", "seen": seen}
    answer = client.post(reverse("review-response", args=[response.pk]), data)
    assert "adjudicate first: somebody would remove the response" in answer.text
    assert "Read all of it.</textarea>" in answer.text


def test_the_reviewer_is_not_offered_to_sign_as_super_reviewer(client, dora, dataset, response):
    Dataset.objects.update(review="super")
    decide((response.segments.all()[1].pk, None), dora, "supported", why="It is.")
    sign_as_seen(client, response, "Read all of it.")
    page = squeezed(client.get(reverse("review-response", args=[response.pk])).text)
    assert "You signed it as reviewer: somebody else signs as super reviewer." in page
    assert "Sign as super reviewer" not in page
    queue = f"{reverse('review', args=[dataset.pk])}?level=super"
    assert "No responses to sign" in client.get(queue).text

    client.force_login(make_person("sue", dataset, Role.ADJUDICATOR))
    assert "Review the first one" in client.get(queue).text
    assert "Sign as super reviewer" in squeezed(client.get(reverse("review-response", args=[response.pk])).text)


def test_no_correction_is_offered_to_settle_before_all_have_submitted(client, dora, response, corrected):
    settle = reverse("edit-settle", args=[response.pk, corrected.pk])
    page = reverse("review-response", args=[response.pk])
    assert settle in client.get(page).text
    Assignment.objects.filter(annotator__username="ben").update(state="open", lease_until=timezone.now())
    early = client.get(page).text
    assert "One is" in early and "You can adjudicate this when all its annotators have submitted" in early
    assert settle not in early and "All made the same correction" not in early


def test_known_answers_are_not_offered_to_sign(client, dora, response):
    Task.objects.update(kind=Task.Kind.CONTROL)
    page = squeezed(client.get(reverse("review-response", args=[response.pk])).text)
    assert "Known answers need no signature." in page
    assert "your signature accepts it" not in page and "Sign as reviewer" not in page
    assert "No labels: adjudicate" in page
