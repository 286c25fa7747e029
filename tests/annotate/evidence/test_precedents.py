"""Decisions on similar units: only after one's own judgement, only of what nobody is served any more."""

from dataclasses import asdict

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.judgements.judgement import UnitJudgement
from annotate.models import Adjudication, Assignment, GoldLabel, Guideline, Task, ViewReceipt
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.labels.work import on_page
from tests.factories import add_facts, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

DECIDED = "Bees dance to tell where flowers are."
SIMILAR = "All bees dance near flowers."


@pytest.fixture
def dataset():
    return make_dataset()


@pytest.fixture
def dora(dataset):
    return make_person("dorothea", dataset, "adjudicator")


@pytest.fixture
def decide(dataset, dora):
    """Gold that Dora decided upon, on a unit of a task that is then closed."""

    def run(unit, why="It is in every textbook.", **task):
        segment, fact = (unit, None) if hasattr(unit, "response") else (unit.segment, unit)
        decision = Adjudication.objects.create(
            segment=segment,
            fact=fact,
            who=dora,
            why=why,
            cites="Rule 3",
            guideline=Guideline.objects.get_or_create(dataset=dataset, version=2)[0],
        )
        gold = GoldLabel.objects.create(
            segment=segment,
            fact=fact,
            value="supported",
            source="adjudicated",
            adjudication=decision,
            revision=dataset.next_gold_revision(),
        )
        Task.objects.filter(pk=segment.response.task_id).update(**{"closed_at": timezone.now(), **task})
        return gold

    return run


@pytest.fixture
def decided(dataset, decide):
    response = make_response(dataset, [DECIDED])
    make_task(response)
    response.refresh_from_db()
    return decide(response.segments.select_related("response").get())


@pytest.fixture
def own(dataset):
    """Ada's open task with a similar unit that she has judged, and another that she has not."""
    response = make_response(dataset, [SIMILAR, "Bees dance, flowers wait."])
    judged, _ = response.segments.all()
    return Assignment.objects.create(
        task=make_task(response),
        annotator=make_person("ada", dataset),
        place=0,
        state="open",
        lease_until=timezone.now(),
        draft={str(judged.pk): asdict(UnitJudgement("supported"))},
    )


@pytest.fixture
def look(client, own):
    """What Ada is shown for the first (judged) or second (open) unit of her task."""

    def run(place=0):
        client.force_login(own.annotator)
        unit = own.task.responses.get().segments.all()[place]
        answer = client.get(
            reverse("precedents", args=[own.key]), {"unit": on_page(own, str(unit.pk))}, headers={"HX-Request": "true"}
        )
        assert answer.status_code == 200
        return answer.content.decode()

    return run


def is_shown(page):
    return "textbook" in page


def test_a_decision_is_shown_with_its_reason_and_the_rule_it_cites(look, decided):
    page = look()

    assert "It is in every textbook." in page
    assert "S Supported" in page
    assert "Guideline rule: Rule 3" in page
    assert "guidelines, version 2" in page
    assert "dorothea" not in page


def test_nothing_is_shown_of_a_unit_before_ones_own_judgement(look, decided):
    assert "Label the unit first" in look(1)


def test_a_reason_without_a_value_is_no_judgement(look, own, decided):
    Assignment.objects.update(draft={key: asdict(UnitJudgement(reason="?")) for key in own.draft})

    assert not is_shown(look())


@pytest.mark.parametrize("state", ["reserved", "lapsed"])
def test_a_draft_counts_while_the_place_is_ones_own(look, own, decided, state):
    Assignment.objects.update(state=state)

    assert not is_shown(look())


def test_a_submitted_judgement_shows_them(client, dataset, decided):
    response = make_response(dataset, [SIMILAR])
    segment = response.segments.get()
    done = judge(make_task(response), make_person("ben", dataset), {segment: "supported"})
    client.force_login(done.annotator)

    assert is_shown(
        client.get(reverse("precedents", args=[done.key]), {"unit": on_page(done, str(segment.pk))}).content.decode()
    )


def test_a_task_that_is_not_closed_gives_no_precedent(look, decided):
    Task.objects.filter(pk=decided.segment.response.task_id).update(closed_at=None)

    assert not is_shown(look())


@pytest.mark.parametrize("kind", ["control", "qualification"])
def test_a_task_with_known_answers_gives_no_precedent(look, decided, kind):
    Task.objects.filter(pk=decided.segment.response.task_id).update(kind=kind)

    assert not is_shown(look())


def test_ones_own_task_gives_no_precedent(look, own, decide):
    decide(own.task.responses.get().segments.select_related("response").last())

    assert not is_shown(look())


def test_what_was_not_decided_by_a_person_is_no_precedent(look, decided):
    GoldLabel.objects.update(source="unanimous")

    assert not is_shown(look())


def test_a_decision_that_was_changed_since_is_no_precedent(look, decided):
    GoldLabel.objects.update(superseded=decided.revision + 1)

    assert not is_shown(look())


def test_another_datasets_decisions_are_no_precedents(look, decided):
    other = make_dataset("other")
    response = decided.segment.response
    type(response).objects.filter(pk=response.pk).update(dataset=other)

    assert not is_shown(look())


def test_what_shares_but_a_word_is_not_similar(look, dataset, decide):
    response = make_response(dataset, ["Bees have six legs, four wings and two antennae."])
    make_task(response)
    response.refresh_from_db()
    decide(response.segments.select_related("response").get())

    assert "No decisions on similar units in closed tasks" in look()


def test_facts_have_precedents_of_their_own(client, decide):
    dataset = make_dataset("lives", "factscore")
    closed, at_hand = make_response(dataset, ["About bees."]), make_response(dataset, ["About bees."])
    make_task(closed)
    closed.refresh_from_db()
    [fact] = add_facts(closed, [[DECIDED]])
    fact.segment.response = closed
    decide(fact)
    [similar] = add_facts(at_hand, [[SIMILAR]])
    done = judge(make_task(at_hand), make_person("ben", dataset), {similar: "supported"})
    client.force_login(done.annotator)
    key = on_page(done, f"{similar.segment_id}.{similar.pk}")

    assert is_shown(client.get(reverse("precedents", args=[done.key]), {"unit": key}).content.decode())


def test_who_saw_precedents_is_written_down(look, own, decided):
    look()

    assert ViewReceipt.objects.get(what="precedents").task_id == own.task_id


def test_who_was_shown_nothing_has_seen_nothing(look, decided):
    look(1)

    assert not ViewReceipt.objects.exists()


def test_a_key_that_is_no_unit_of_the_task_shows_nothing(client, own, decided):
    client.force_login(own.annotator)
    for key in (on_page(own, str(decided.segment_id)), str(decided.segment_id), "x", "", "comment"):
        page = client.get(reverse("precedents", args=[own.key]), {"unit": key}).content.decode()
        assert not is_shown(page)
