"""Feedback: own judgements beside gold once a task is closed, and challenges to it."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from annotate.adjudication.decide import decide
from annotate.adjudication.unanimous import accept_unanimous
from annotate.feedback.challenge import ChallengeError, challenge, decline, uphold
from annotate.feedback.outcome import outcomes, own_weeks, unit_outcomes
from annotate.models import Assignment, Challenge, Dataset, Role, Segment, Task, User, ViewReceipt
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.labels.work import on_page
from tests.factories import add_facts, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset()


@pytest.fixture
def dora(dataset: Dataset) -> User:
    return make_person("dora", dataset, Role.ADJUDICATOR)


@pytest.fixture
def work(dataset: Dataset, dora: User) -> tuple[Assignment, Assignment]:
    """Ada and Ben agree on the first segment; the second is settled for Ben, and the task is closed."""
    ada, ben = make_person("ada", dataset), make_person("ben", dataset)
    response = make_response(dataset)
    task = make_task(response)
    one, two = response.segments.all()
    of_ada = judge(task, ada, {one: "supported", two: "supported"})
    of_ben = judge(task, ben, {one: "supported", two: "not_supported/reasoning/A secret of Ben."})
    decide((two.pk, None), dora, "not_supported", "reasoning", why="Two is even.")
    accept_unanimous(dataset, dora, "All agree.")
    return of_ada, of_ben


def second_of(assignment: Assignment) -> Segment:
    return assignment.task.responses.get().segments.all()[1]


def test_gold_stands_beside_ones_own_judgements(dataset, work):
    ada, ben = work
    assert [unit.differs for unit in unit_outcomes(ada)] == [False, True]
    assert [unit.differs for unit in unit_outcomes(ben)] == [False, False]
    (outcome,) = outcomes(dataset, ada.annotator)
    assert (outcome.judged, outcome.differing, outcome.challenges) == (2, 1, 0)


def test_an_open_task_has_no_outcome(client, dataset, work):
    ada, _ = work
    Task.objects.update(closed_at=None)
    client.force_login(ada.annotator)
    assert client.get(reverse("outcome", args=[ada.key])).status_code == 404
    assert outcomes(dataset, ada.annotator) == []


def test_a_control_is_never_disclosed(client, dataset, work):
    ada, _ = work
    Task.objects.update(kind=Task.Kind.CONTROL)
    client.force_login(ada.annotator)
    assert client.get(reverse("outcome", args=[ada.key])).status_code == 404
    assert "No closed tasks yet" in client.get(reverse("outcomes", args=[dataset.pk])).text


def test_the_page_says_why_and_names_no_other_annotator(client: Client, work):
    ada, _ = work
    client.force_login(ada.annotator)
    page = client.get(reverse("outcome", args=[ada.key])).text
    assert "Two is even." in page
    assert "Challenge this" in page
    assert "A secret of Ben." not in page
    assert ">ben<" not in page
    assert ViewReceipt.objects.get(who=ada.annotator).what == "outcome"


def test_a_fact_of_a_sentence_that_gold_has_irrelevant_as_a_whole_differs_unless_judged_irrelevant(dora):
    dataset = make_dataset("bios", "factscore")
    response = make_response(dataset)
    one, two, three = add_facts(response, [["Odd.", "One."], ["Two."]])
    task = make_task(response, wants=1)
    own = judge(task, make_person("cleo", dataset), {one: "supported", two: "irrelevant", three: "supported"})
    decide((one.segment_id, None), dora, "irrelevant", why="It is beside the point.")
    accept_unanimous(dataset, dora, "Read it.")
    assert [unit.differs for unit in unit_outcomes(own)] == [True, False, False]


def test_a_challenge_needs_a_reason_a_difference_and_no_open_one_before_it(work):
    ada, ben = work
    second = second_of(ada)
    with pytest.raises(ChallengeError, match="say why"):
        challenge(ada, second.pk, None, " ")
    with pytest.raises(ChallengeError, match="does not differ"):
        challenge(ben, second.pk, None, "I doubt it.")
    challenge(ada, second.pk, None, "Two can be odd.")
    with pytest.raises(ChallengeError, match="waits for an answer"):
        challenge(ada, second.pk, None, "Again.")
    assert Challenge.objects.count() == 1


def test_upholding_wants_a_decision_that_is_newer_than_the_challenge(work, dora):
    ada, _ = work
    second = second_of(ada)
    challenged = challenge(ada, second.pk, None, "Two can be odd.")
    with pytest.raises(ChallengeError, match="change the decision first"):
        uphold(challenged, dora, "You are right.")
    gold = decide((second.pk, None), dora, "supported", why="Odd it is.", seen=second.adjudications.get().pk)
    uphold(challenged, dora, "You are right.")
    challenged.refresh_from_db()
    assert (challenged.state, challenged.answered_by, challenged.adjudication) == ("upheld", dora, gold.adjudication)
    assert [unit.differs for unit in unit_outcomes(ada)] == [False, False]


def test_a_newer_decision_that_leaves_gold_as_it_was_upholds_nothing(work, dora):
    ada, _ = work
    second = second_of(ada)
    challenged = challenge(ada, second.pk, None, "Two can be odd.")
    last = second.adjudications.get().pk
    again = decide((second.pk, None), dora, "not_supported", "reasoning", why="Even still.", seen=last)
    with pytest.raises(ChallengeError, match="gold has not changed"):
        uphold(challenged, dora, "You are right.")
    # Nor does gold that was changed and changed back.
    other = decide((second.pk, None), dora, "supported", why="Odd?", seen=again.adjudication_id)
    decide((second.pk, None), dora, "not_supported", "reasoning", why="No.", seen=other.adjudication_id)
    with pytest.raises(ChallengeError, match="gold has not changed"):
        uphold(challenged, dora, "You are right.")
    challenged.refresh_from_db()
    assert challenged.state == "open"


def test_a_fact_is_challenged_whose_sentence_is_irrelevant_as_a_whole(client: Client, dora):
    dataset = make_dataset("bios", "factscore")
    make_person("dora", dataset, Role.ADJUDICATOR)
    response = make_response(dataset, ("She sings.",))
    (fact,) = add_facts(response, [["She sings songs."]])
    own = judge(make_task(response, wants=1), make_person("cleo", dataset), {fact: "supported"})
    whole = decide((fact.segment_id, None), dora, "irrelevant", why="It is beside the point.")
    challenged = challenge(own, fact.segment_id, fact.pk, "It is about her.")

    client.force_login(dora)
    page = client.get(reverse("challenges", args=[dataset.pk])).text
    sentence = reverse("adjudicate-segment", args=[dataset.pk, fact.segment_id])
    assert f'href="{sentence}"' in page
    assert "It is beside the point." in page
    page = client.get(reverse("adjudicate-fact", args=[dataset.pk, fact.segment_id, fact.pk])).text
    assert "The whole sentence is adjudicated" in page and f'href="{sentence}"' in page

    keep = {"choice": "keep", "why": "It is about her.", "seen": whole.adjudication_id}
    assert client.post(sentence, keep).status_code == 302
    with pytest.raises(ChallengeError, match="adjudicate the fact first"):
        uphold(challenged, dora, "You are right.")
    settled = decide((fact.segment_id, fact.pk), dora, "supported", why="So it is.")
    uphold(challenged, dora, "You are right.")
    challenged.refresh_from_db()
    assert (challenged.state, challenged.adjudication) == ("upheld", settled.adjudication)


def test_an_answered_challenge_is_not_answered_again(work, dora):
    ada, _ = work
    challenged = challenge(ada, second_of(ada).pk, None, "Two can be odd.")
    decline(challenged, dora, "It cannot.")
    with pytest.raises(ChallengeError, match="answered it meanwhile"):
        decline(challenged, dora, "Really not.")
    challenged.refresh_from_db()
    assert challenged.answer == "It cannot."


def test_challenged_and_answered_on_the_pages(client: Client, dataset, work, dora):
    ada, _ = work
    client.force_login(ada.annotator)
    unit = on_page(ada, str(second_of(ada).pk))
    client.post(reverse("challenge", args=[ada.key]), {"unit": unit, "text": "Two can be odd."})
    client.force_login(dora)
    page = client.get(reverse("challenges", args=[dataset.pk])).text
    assert "Two can be odd." in page
    assert ">ada<" not in page
    challenged = Challenge.objects.get()
    client.post(reverse("challenge-answer", args=[challenged.pk]), {"action": "decline", "answer": "It cannot."})
    client.force_login(ada.annotator)
    assert "It cannot." in client.get(reverse("outcome", args=[ada.key])).text


def test_who_reads_challenges_has_seen_labels(client: Client, dataset, work, dora):
    ada, _ = work
    challenge(ada, second_of(ada).pk, None, "Two can be odd.")
    client.force_login(dora)
    client.get(reverse("challenges", args=[dataset.pk]))
    client.get(reverse("challenges", args=[dataset.pk]) + "?show=answered")
    assert list(ViewReceipt.objects.values_list("task", "who", "what", "times")) == [
        (ada.task_id, dora.pk, "labels", 1)
    ]


@pytest.mark.parametrize("text", [" ", "Odd. " * 2001])
def test_a_challenge_that_cannot_be_made_stays_written(client: Client, work, text):
    ada, _ = work
    client.force_login(ada.annotator)
    data = {"unit": on_page(ada, str(second_of(ada).pk)), "text": text}
    answer = client.post(reverse("challenge", args=[ada.key]), data)
    assert answer.status_code == 422
    assert "Not challenged: " in answer.text and "<details open><summary>Challenge this" in answer.text
    assert f">{text}</textarea>" in answer.text
    assert not Challenge.objects.exists()


def test_what_was_written_for_a_unit_that_is_challenged_already_is_still_shown(client: Client, work):
    ada, _ = work
    client.force_login(ada.annotator)
    challenge(ada, second_of(ada).pk, None, "Two can be odd.")
    data = {"unit": on_page(ada, str(second_of(ada).pk)), "text": "It is in the almanac."}
    answer = client.post(reverse("challenge", args=[ada.key]), data)
    assert answer.status_code == 422
    assert "waits for an answer" in answer.text and "You wrote: It is in the almanac." in answer.text


@pytest.mark.parametrize("unit", ["9" * 5000, "1", "9" * 30, "one", ""])
def test_a_challenge_of_what_is_no_unit_is_refused(client: Client, work, unit):
    ada, _ = work
    client.force_login(ada.annotator)
    data = {"unit": unit, "text": "It is odd."}
    answer = client.post(reverse("challenge", args=[ada.key]), data)
    assert answer.status_code == 422
    assert "does not say which unit" in answer.text and "You wrote: It is odd." in answer.text


def test_an_answer_that_cannot_be_given_stays_written_and_leads_back_to_the_queue(client: Client, dataset, work, dora):
    ada, _ = work
    challenged = challenge(ada, second_of(ada).pk, None, "Two can be odd.")
    address = reverse("challenge-answer", args=[challenged.pk])
    client.force_login(dora)
    answer = client.post(address, {"action": "uphold", "answer": "You are right.", "from": "queue"})
    assert answer.status_code == 422
    assert "change the decision first" in answer.text and ">You are right.</textarea>" in answer.text
    assert '<input type="hidden" name="from" value="queue">' in answer.text
    again = client.post(address, {"action": "decline", "answer": "It cannot.", "from": "queue"})
    assert again.headers["Location"] == reverse("adjudicate", args=[dataset.pk])


def test_who_answers_second_is_told_and_keeps_the_text(client: Client, work, dora):
    ada, _ = work
    challenged = challenge(ada, second_of(ada).pk, None, "Two can be odd.")
    decline(challenged, dora, "It cannot.")
    client.force_login(dora)
    answer = client.post(
        reverse("challenge-answer", args=[challenged.pk]), {"action": "decline", "answer": "Really not."}
    )
    assert answer.status_code == 422
    assert "answered it meanwhile" in answer.text and "You wrote: Really not." in answer.text
    assert "It cannot." in answer.text


def test_ones_own_weeks_count_units_of_closed_tasks(dataset, work):
    ada, _ = work
    at = datetime(2027, 1, 3, 12, tzinfo=UTC)  # a Sunday of the week that began on 28 December
    Assignment.objects.filter(pk=ada.pk).update(submitted_at=at, active_seconds=50)
    [week] = own_weeks(outcomes(dataset, ada.annotator))
    # Gold differs from one of two units; 50 s / 2.
    assert (week.week, week.units, week.share, week.seconds) == ("2026-W53", 2, 0.5, 25.0)
