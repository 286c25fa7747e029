"""The adjudicator at work in the pages."""

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotate.adjudication.decide import decide
from annotate.adjudication.queue import queue_of
from annotate.cases.counts import count_cases
from annotate.feedback.challenge import challenge
from annotate.models import (
    Assignment,
    Challenge,
    Dataset,
    Edit,
    GoldLabel,
    Label,
    Prompt,
    Response,
    Segment,
    Task,
    User,
    ViewReceipt,
)
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_facts, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    """Ada and Ben disagree on the second segment only."""
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response)
    judge(task, "ada", {one: "supported", two: "supported//Even I know."})
    judge(task, "ben", {one: "supported", two: "not_supported/knowledge/It is even."})
    return dataset


@pytest.fixture
def dora(client: Client, dataset: Dataset) -> User:
    dora = make_person("dora", dataset, "adjudicator")
    client.force_login(dora)
    return dora


def page_of(dataset: Dataset) -> str:
    return f"/datasets/{dataset.pk}/adjudicate/"


def disputed() -> Segment:
    return Segment.objects.get(text="Two is odd.")


def test_the_queue_opens_with_a_dispute_and_both_reasons(client: Client, dataset: Dataset, dora: User) -> None:
    page = client.get(page_of(dataset)).content.decode()
    assert "Even I know." in page and "It is even." in page


def test_no_name_stands_beside_a_side_unless_asked_for(client: Client, dataset: Dataset, dora: User) -> None:
    address = f"{page_of(dataset)}{disputed().pk}/"
    # The references name their makers in this test: they are not counted.
    assert '<p class="quiet">ben</p>' not in client.get(address).content.decode()
    assert '<p class="quiet">ben</p>' in client.get(f"{address}?names=1").content.decode()


def test_a_side_is_taken_with_its_reason_and_references(client: Client, dataset: Dataset, dora: User) -> None:
    label = Label.objects.get(value="not_supported")
    client.post(f"{page_of(dataset)}{disputed().pk}/", {"choice": label.pk, "why": "Two is even."})
    gold = GoldLabel.objects.get()
    assert (gold.value, gold.error_type, gold.reason) == ("not_supported", "knowledge", "It is even.")
    assert [link.url for link in gold.references.all()] == ["https://ben.example"]


def test_a_third_judgement_is_written(client: Client, dataset: Dataset, dora: User) -> None:
    third = {
        "choice": "third",
        "value": "not_supported",
        "error_type": "reasoning",
        "reason": "Two is 2 × 1.",
        "references": "https://a.example\n\nhttps://b.example",
        "why": "Neither is right.",
    }
    client.post(f"{page_of(dataset)}{disputed().pk}/", third)
    gold = GoldLabel.objects.get()
    assert (gold.error_type, gold.references.count()) == ("reasoning", 2)


def test_without_a_reason_nothing_is_settled_and_what_was_written_stays(
    client: Client, dataset: Dataset, dora: User
) -> None:
    third = {"choice": "third", "value": "supported", "reason": "As I wrote."}
    page = client.post(f"{page_of(dataset)}{disputed().pk}/", third).content.decode()
    assert "Say why" in page and "As I wrote." in page
    assert GoldLabel.objects.count() == 0


def test_the_next_page_offers_to_change_what_was_settled(client: Client, dataset: Dataset, dora: User) -> None:
    address = f"{page_of(dataset)}{disputed().pk}/"
    label = Label.objects.get(value="not_supported")
    page = squeezed(client.post(address, {"choice": label.pk, "why": "Yes."}, follow=True).content.decode())
    assert "Change this decision" in page and address in page


def test_htmx_gets_the_queue_alone(client: Client, dataset: Dataset, dora: User) -> None:
    page = client.get(page_of(dataset), headers={"HX-Request": "true"}).content.decode()
    assert page.strip().startswith('<div id="queue">')


def test_who_decides_what_was_decided_meanwhile_is_shown_it(client: Client, dataset: Dataset, dora: User) -> None:
    address = f"{page_of(dataset)}{disputed().pk}/"
    label = Label.objects.get(value="not_supported")
    client.post(address, {"choice": label.pk, "why": "I was first."})
    page = client.post(address, {"choice": "third", "value": "supported", "why": "And I second."}).content.decode()
    assert "has adjudicated this in the meantime" in page and "I was first." in page
    assert GoldLabel.objects.count() == 1


def test_what_all_agree_on_is_previewed_and_accepted(client: Client, dataset: Dataset, dora: User) -> None:
    address = f"{page_of(dataset)}unanimous/"
    assert "One is odd." in client.get(address).content.decode()
    client.post(address, {"expected": "1", "why": "I read it."})
    assert GoldLabel.objects.get().source == "unanimous"


def test_the_sides_of_a_sentence_are_irrelevant_or_its_facts(client: Client) -> None:
    dataset = make_dataset("lives", "factscore")
    response = make_response(dataset, ("She sings.",), subject="gpt")
    (fact,) = add_facts(response, [["She sings songs."]])
    task = make_task(response)
    judge(task, "ada", {fact.segment: "irrelevant"})
    judge(task, "ben", {fact: "supported"})
    client.force_login(make_person("dora", dataset, "adjudicator"))
    assert "Facts count separately" in client.get(page_of(dataset)).content.decode()
    client.post(f"{page_of(dataset)}{fact.segment_id}/", {"choice": "keep", "why": "About her."})
    client.post(f"{page_of(dataset)}unanimous/", {"expected": "1", "why": "I read it."})
    assert GoldLabel.objects.get().fact == fact


@pytest.mark.parametrize("sent", ["", "many", "9" * 5000])
def test_what_is_no_number_is_taken_for_none(client: Client, dataset: Dataset, dora: User, sent: str) -> None:
    assert client.get(page_of(dataset), {"settled": sent}).status_code == 200
    client.post(f"{page_of(dataset)}unanimous/", {"expected": sent, "why": "I read it."})
    assert GoldLabel.objects.count() == 1


def test_what_all_sides_say_stands_once(client: Client, dora: User) -> None:
    dataset = Dataset.objects.get()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response)
    judge(task, "ada", {one: "supported", two: "not_supported/knowledge/It is even."})
    judge(task, "ben", {one: "supported", two: "not_supported/reasoning/It is even."})
    page = client.get(f"{page_of(dataset)}{two.pk}/").text
    assert page.count("It is even.") == 1
    assert page.count("E Error</span>") == 2


def test_the_keys_lead_on_and_back(client: Client, dataset: Dataset, dora: User) -> None:
    one, two = (response := make_response(dataset, ("Four is odd.", "Six is odd."))).segments.all()
    task = make_task(response)
    judge(task, "ada", {one: "supported", two: "supported"})
    judge(task, "ben", {one: "not_supported", two: "not_supported"})
    keys = [case.key for case in queue_of(dataset).cases]
    assert keys == [str(disputed().pk), str(one.pk), str(two.pk)]
    page = client.get(page_of(dataset), {"before": keys[1]}).text
    assert f'action="{page_of(dataset)}{keys[0]}/"' in page
    page = client.get(page_of(dataset), {"before": keys[0]}).text
    assert f'action="{page_of(dataset)}{keys[2]}/"' in page
    page = client.get(page_of(dataset), {"after": keys[0]}).text
    assert f'action="{page_of(dataset)}{keys[1]}/"' in page
    assert "data-previous" in page and f"before={keys[1]}" in page


def test_the_corrections_of_the_sentence_stand_beside_the_case(client: Client, dataset: Dataset, dora: User) -> None:
    ada = Assignment.objects.get(annotator__username="ada")
    Edit.objects.create(assignment=ada, segment=disputed(), text="Two is even.")
    page = squeezed(client.get(page_of(dataset)).text)
    assert "Different corrections" in page
    assert "<del> odd.</del> <ins> even.</ins>" in page


def test_a_challenge_comes_first_and_is_answered_in_the_queue(client: Client, dataset: Dataset, dora: User) -> None:
    one, two = (response := make_response(dataset, ("Four is odd.", "Six is odd."))).segments.all()
    cleo = make_person("cleopatra", dataset)
    own = judge(make_task(response, wants=1), cleo, {one: "supported", two: "supported"})
    gold = decide((two.pk, None), dora, "not_supported", why="Six is even.")
    decide((one.pk, None), dora, "not_supported", why="Four is even.")
    challenged = challenge(own, two.pk, None, "Six can be odd.")

    page = client.get(page_of(dataset)).text
    assert f'action="{page_of(dataset)}{two.pk}/"' in page
    assert "Six can be odd." in page and "Keep gold and answer" in page
    assert "cleopatra" not in page

    decision = {"choice": "third", "value": "supported", "why": "So it can.", "seen": gold.adjudication_id}
    page = client.post(f"{page_of(dataset)}{two.pk}/", decision, follow=True).text
    assert "Gold changed: answer" in page

    answer = {"action": "uphold", "answer": "You are right.", "from": "queue"}
    page = client.post(f"/challenges/{challenged.pk}/answer/", answer, follow=True).text
    assert f'action="{page_of(dataset)}{disputed().pk}/"' in page
    assert Challenge.objects.get().state == "upheld"


def test_a_type_left_over_in_the_form_is_not_of_a_supported_unit(client: Client, dataset: Dataset, dora: User) -> None:
    third = {"choice": "third", "value": "supported", "error_type": "knowledge", "why": "It holds."}
    client.post(f"{page_of(dataset)}{disputed().pk}/", third)
    assert (GoldLabel.objects.get().value, GoldLabel.objects.get().error_type) == ("supported", "")


def test_a_type_on_a_supported_side_is_not_taken(client: Client, dataset: Dataset, dora: User) -> None:
    label = Label.objects.get(reason="Even I know.")
    Label.objects.filter(pk=label.pk).update(error_type="knowledge")
    client.post(f"{page_of(dataset)}{disputed().pk}/", {"choice": label.pk, "why": "It holds."})
    assert (GoldLabel.objects.get().value, GoldLabel.objects.get().error_type) == ("supported", "")


def test_before_a_case_that_is_settled_stands_one_that_waits(client: Client, dataset: Dataset, dora: User) -> None:
    settled = disputed().response.segments.all()[0]
    page = client.get(page_of(dataset), {"before": settled.pk}).text
    assert f'action="{page_of(dataset)}{disputed().pk}/"' in page
    assert "No disagreements" not in page


def test_the_list_of_the_queue_names_verdicts_in_words(client: Client, dataset: Dataset, dora: User) -> None:
    page = squeezed(client.get(page_of(dataset)).text)
    assert "Supported against Error (knowledge)</a>" in page or "Error (knowledge) against Supported</a>" in page
    dataset.scheme = "factscore"
    dataset.save()
    response = make_response(dataset, ("She sings.",), subject="gpt")
    (fact,) = add_facts(response, [["She sings songs."]])
    task = make_task(response)
    judge(task, "cleo", {fact: "supported"})
    judge(task, "dirk", {fact: "not_supported"})
    page = squeezed(client.get(page_of(dataset)).text)
    assert "Supported against Not supported</a>" in page or "Not supported against Supported</a>" in page


def test_nothing_is_offered_in_bulk_where_signatures_are_asked_for(
    client: Client, dataset: Dataset, dora: User
) -> None:
    address = f"{page_of(dataset)}unanimous/"
    assert "Accept 1 as dora" in client.get(address).text
    dataset.review = "reviewer"
    dataset.save()
    page = client.get(address).text
    assert "Accept 1 as dora" not in page and 'name="why"' not in page
    assert f'<a href="/datasets/{dataset.pk}/review/">Review the responses' in page
    assert "One is odd." in page


@pytest.fixture
def three(dataset: Dataset) -> list[str]:
    """Three cases in dispute, by their keys."""
    four, six = (response := make_response(dataset, ("Four is odd.", "Six is odd."))).segments.all()
    task = make_task(response)
    judge(task, "ada", {four: "supported", six: "supported"})
    judge(task, "ben", {four: "not_supported", six: "not_supported"})
    return [str(disputed().pk), str(four.pk), str(six.pk)]


def stands_at(page: str, dataset: Dataset, key: str) -> bool:
    return f'action="{page_of(dataset)}{key}/"' in page


def settle(client: Client, dataset: Dataset, key: str, after: str) -> str:
    data = {"choice": "third", "value": "supported", "why": "So it is.", "after": after}
    return squeezed(client.post(f"{page_of(dataset)}{key}/", data, follow=True).text)


def test_what_is_left_for_later_stays_so_when_the_next_is_settled(
    client: Client, dataset: Dataset, dora: User, three: list[str]
) -> None:
    first, second, third = three
    page = client.get(page_of(dataset), {"after": first}).text
    assert stands_at(page, dataset, second) and f'name="after" value="{first}"' in page
    page = settle(client, dataset, second, after=first)
    assert stands_at(page, dataset, third) and f'name="after" value="{first}"' in page
    # The way round: nothing else is left.
    assert stands_at(settle(client, dataset, third, after=first), dataset, first)


def test_the_last_of_the_queue_leads_to_its_first(
    client: Client, dataset: Dataset, dora: User, three: list[str]
) -> None:
    first, second, third = three
    page = client.get(page_of(dataset)).text
    assert stands_at(page, dataset, first) and f'name="after" value="{third}"' in page
    assert stands_at(settle(client, dataset, first, after=third), dataset, second)
    assert stands_at(settle(client, dataset, third, after=second), dataset, second)


def test_who_changes_a_decision_comes_back_to_where_they_were(
    client: Client, dataset: Dataset, dora: User, three: list[str]
) -> None:
    first, second, _ = three
    page = settle(client, dataset, second, after=first)
    assert f'href="{page_of(dataset)}{second}/?slice=&amp;after={first}">Change this decision' in page
    assert f'name="after" value="{first}"' in client.get(f"{page_of(dataset)}{second}/", {"after": first}).text


def test_a_challenge_left_for_later_does_not_come_back_with_each_decision(
    client: Client, dataset: Dataset, dora: User, three: list[str]
) -> None:
    ada = Assignment.objects.filter(annotator__username="ada").first()
    assert ada is not None
    sure = Segment.objects.get(text="One is odd.")
    decide((sure.pk, None), dora, "not_supported", why="No.")
    decide((disputed().pk, None), dora, "not_supported", why="No.")
    challenge(ada, sure.pk, None, "It is odd.")
    assert [case.key for case in queue_of(dataset).cases] == [str(sure.pk), *three[1:]]
    assert stands_at(settle(client, dataset, three[1], after=str(sure.pk)), dataset, three[2])


def test_the_queue_goes_on_behind_a_challenge_that_was_answered(
    client: Client, dataset: Dataset, dora: User, three: list[str]
) -> None:
    ada = Assignment.objects.filter(annotator__username="ada").first()
    assert ada is not None
    sure, doubted = Segment.objects.get(text="One is odd."), disputed()
    for segment in (sure, doubted):
        decide((segment.pk, None), dora, "not_supported", why="No.")
    challenge(ada, sure.pk, None, "It is odd.")
    challenged = challenge(ada, doubted.pk, None, "It is odd.")
    page = client.get(page_of(dataset), {"after": sure.pk}).text
    assert stands_at(page, dataset, str(doubted.pk)) and page.count(f'name="after" value="{sure.pk}"') == 2
    answer = {"action": "decline", "answer": "It is not.", "from": "queue", "slice": "", "after": sure.pk}
    page = client.post(f"/challenges/{challenged.pk}/answer/", answer, follow=True).text
    assert stands_at(page, dataset, three[1])


def test_a_refused_decision_is_no_success(client: Client, dataset: Dataset, dora: User) -> None:
    answer = client.post(f"{page_of(dataset)}{disputed().pk}/", {"choice": "third", "value": "supported"})
    assert answer.status_code == 422


def test_the_cases_of_a_queue_are_counted_by_slice_in_batches(
    dataset: Dataset, three: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Prompt.objects.update(domain="reasoning")
    sums = Prompt.objects.create(dataset=dataset, text="Which are odd?", domain="math")
    Response.objects.filter(segments=three[1]).update(prompt=sums)
    monkeypatch.setattr("annotate.adjudication.queue.BATCH", 2)
    assert queue_of(dataset).slices == {"math": 2, "reasoning": 1}
    assert [case.key for case in queue_of(dataset, "math").cases] == three[1:]


def test_segments_without_a_waiting_case_are_not_read_for_the_slices(dataset: Dataset, three: list[str]) -> None:
    with CaptureQueriesContext(connection) as queries_made:
        queue_of(dataset)
    (of_slices,) = [each["sql"] for each in queries_made if "domain" in each["sql"] and "segment" in each["sql"]]
    assert f"IN ({', '.join(three)})" in of_slices


def seen_by(who: User) -> set[int]:
    return set(ViewReceipt.objects.filter(who=who, what=ViewReceipt.What.LABELS).values_list("task", flat=True))


def test_the_votes_of_the_cases_ahead_are_sights_of_their_tasks(
    client: Client, dataset: Dataset, dora: User, three: list[str]
) -> None:
    one, two = Task.objects.order_by("position")
    client.get(page_of(dataset))
    assert seen_by(dora) == {one.pk, two.pk}
    assert ViewReceipt.objects.get(task=one).times == 1
    # What nobody has judged shows nothing of anybody, but where it is read.
    Label.objects.all().delete()
    ViewReceipt.objects.all().delete()
    client.get(page_of(dataset))
    assert seen_by(dora) == {one.pk}


def test_what_all_agree_on_is_a_sight_of_the_tasks_it_shows(client: Client, dataset: Dataset, dora: User) -> None:
    client.get(f"{page_of(dataset)}unanimous/")
    assert seen_by(dora) == {Task.objects.get().pk}


def test_more_cases_ahead_take_no_more_queries(client: Client, dataset: Dataset, dora: User, three: list[str]) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as queries_made:
            client.get(page_of(dataset))
        return len(queries_made)

    queries()
    before = queries()
    for _ in range(6):
        (one, _) = (response := make_response(dataset)).segments.all()
        task = make_task(response)
        judge(task, "ada", {one: "supported"})
        judge(task, "ben", {one: "not_supported"})
    count_cases(dataset)
    assert queries() - before <= 1  # the new tasks' receipts


def cards(*cited: dict[str, object]) -> str:
    return json.dumps([{"quote": "", "stance": "", "document": None, "title": "", **card} for card in cited])


def test_what_the_adjudicator_cites_joins_the_references_of_the_side_taken(
    client: Client, dataset: Dataset, dora: User
) -> None:
    label = Label.objects.get(value="not_supported")
    cited = cards({"url": "https://dora.example", "quote": "Two is even.", "stance": "refutes"})
    client.post(f"{page_of(dataset)}{disputed().pk}/", {"choice": label.pk, "why": "It is even.", "cards": cited})
    links = GoldLabel.objects.get().references.values_list("url", "quote", "stance")
    assert list(links) == [("https://ben.example", "", ""), ("https://dora.example", "Two is even.", "refutes")]


def test_the_adjudicators_stance_counts_where_both_cite_the_same(client: Client, dataset: Dataset, dora: User) -> None:
    label = Label.objects.get(value="not_supported")
    cited = cards({"url": "https://ben.example", "stance": "insufficient"})
    client.post(f"{page_of(dataset)}{disputed().pk}/", {"choice": label.pk, "why": "It is even.", "cards": cited})
    assert list(GoldLabel.objects.get().references.values_list("stance", flat=True)) == ["insufficient"]


@pytest.mark.parametrize(
    ("sent", "trouble"),
    [
        ("[", "no JSON"),
        ('{"url": "https://a.example"}', "no list"),
        ('[{"url": "https://a.example"}]', "does not have the fields"),
        (cards({"url": "https://a.example", "stance": "perhaps"}), "unknown stance"),
        (cards({"url": "", "document": 77}), "the knowledge source does not have"),
    ],
)
def test_evidence_that_no_page_sends_settles_nothing(
    client: Client, dataset: Dataset, dora: User, sent: str, trouble: str
) -> None:
    label = Label.objects.get(value="not_supported")
    answer = client.post(f"{page_of(dataset)}{disputed().pk}/", {"choice": label.pk, "why": "Even.", "cards": sent})
    assert (answer.status_code, trouble in answer.content.decode()) == (422, True)
    assert not GoldLabel.objects.exists()


def test_evidence_is_not_lost_with_a_decision_that_keeps_none(client: Client) -> None:
    dataset = make_dataset(scheme="factscore")
    (fact,) = add_facts(make_response(dataset, ["Ada sings."]), [["Ada sings songs."]])
    task = make_task(fact.segment.response)
    judge(task, "ada", {fact.segment: "irrelevant"})
    judge(task, "ben", {fact: "supported"})
    client.force_login(make_person("dora", dataset, "adjudicator"))
    sent = {"choice": "keep", "why": "It is about her.", "cards": cards({"url": "https://a.example"})}
    answer = client.post(f"{page_of(dataset)}{fact.segment.pk}/", sent)
    assert (answer.status_code, "cite it at the facts" in answer.content.decode()) == (422, True)
    assert "https://a.example" in answer.content.decode()
