"""An adjudicator settles what annotators disagree on."""

import pytest

from annotate.adjudication.decide import DecidedMeanwhileError, DecisionError, decide, keep_sentence
from annotate.cases.addresses import open_cases
from annotate.judgements.judgement import CitedReference
from annotate.models import Adjudication, AtomicFact, Dataset, GoldLabel, Response
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def disputed(dataset: Dataset) -> Response:
    """Ada and Ben disagree on both segments."""
    response = make_response(dataset)
    one, two = response.segments.all()
    task = make_task(response)
    judge(task, "ada", {one: "supported", two: "supported"})
    judge(task, "ben", {one: "not_supported", two: "not_supported"})
    return response


def sentence_with_facts(said_by_ada: str) -> list[AtomicFact]:
    """One sentence of two facts, which Ada alone was to judge: as irrelevant, or its facts."""
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset, ("She sings and dances.",), subject="gpt")
    facts = add_facts(response, [["She sings.", "She dances."]])
    judged = {facts[0].segment: "irrelevant"} if said_by_ada == "irrelevant" else dict.fromkeys(facts, said_by_ada)
    judge(make_task(response, wants=1), "ada", judged)
    return facts


def test_a_decision_becomes_gold_that_says_who_and_why() -> None:
    one, _ = disputed(make_dataset()).segments.all()
    dora = make_person("dora")
    gold = decide(
        (one.pk, None),
        dora,
        value="not_supported",
        error_type="reasoning",
        reason="One is one.",
        references=[CitedReference("https://one.example")],
        why="Ben counted.",
    )
    assert (gold.value, gold.error_type, gold.reason) == ("not_supported", "reasoning", "One is one.")
    assert [link.url for link in gold.references.all()] == ["https://one.example"]
    assert gold.adjudication is not None
    assert (gold.adjudication.who, gold.adjudication.why) == (dora, "Ben counted.")


def test_a_task_closes_with_its_last_decision() -> None:
    response = disputed(make_dataset())
    one, two = response.segments.all()
    dora = make_person("dora")
    decide((one.pk, None), dora, value="supported", why="Yes.")
    response.refresh_from_db()
    assert response.task is not None and response.task.closed_at is None
    decide((two.pk, None), dora, value="not_supported", why="No.")
    response.task.refresh_from_db()
    assert response.task.closed_at is not None


def test_a_decision_needs_a_reason() -> None:
    one, _ = disputed(make_dataset()).segments.all()
    with pytest.raises(DecisionError, match="say why"):
        decide((one.pk, None), make_person("dora"), value="supported", why="  ")
    assert GoldLabel.objects.count() == 0


def test_a_reason_that_not_every_database_keeps_is_refused() -> None:
    one, _ = disputed(make_dataset()).segments.all()
    with pytest.raises(DecisionError, match="the reason holds a character that the database cannot keep"):
        decide((one.pk, None), make_person("dora"), value="supported", why="Be\0cause.")
    assert not Adjudication.objects.exists()


def test_a_change_supersedes_and_leaves_the_task_closed() -> None:
    dataset = make_dataset()
    response = disputed(dataset)
    dora = make_person("dora")
    one, two = response.segments.all()
    first = decide((one.pk, None), dora, value="supported", why="Yes.")
    decide((two.pk, None), dora, value="supported", why="Yes.")
    second = decide(
        (first.segment_id, None), dora, value="not_supported", why="I was wrong.", seen=first.adjudication_id
    )
    first.refresh_from_db()
    assert first.superseded == second.revision
    assert list(GoldLabel.objects.current().filter(segment=first.segment)) == [second]
    response.refresh_from_db()
    assert response.task is not None and response.task.closed_at is not None


def test_who_comes_second_is_told_and_changes_nothing() -> None:
    one, _ = disputed(make_dataset()).segments.all()
    decide((one.pk, None), make_person("dora"), value="supported", why="Yes.")
    with pytest.raises(DecidedMeanwhileError, match=r"dora has adjudicated this in the meantime: Yes\."):
        decide((one.pk, None), make_person("dan"), value="not_supported", why="No.")
    assert Adjudication.objects.count() == 1


def test_a_refused_decision_does_not_count_as_a_change_of_gold() -> None:
    dataset = make_dataset()
    one, _ = disputed(dataset).segments.all()
    with pytest.raises(DecisionError):
        decide((one.pk, None), make_person("dora"), value="true", why="Yes.")
    dataset.refresh_from_db()
    assert dataset.gold_revision == 0


def test_what_is_still_being_labelled_cannot_be_decided() -> None:
    response = make_response(make_dataset())
    one, two = response.segments.all()
    judge(make_task(response, wants=2), "ada", {one: "supported", two: "supported"})
    with pytest.raises(DecisionError, match="not finished"):
        decide((one.pk, None), make_person("dora"), value="supported", why="Yes.")


def test_imported_gold_can_be_changed() -> None:
    one = make_response(make_dataset()).segments.all()[0]
    imported = add_gold(one, "supported")
    decide((one.pk, None), make_person("dora"), value="not_supported", why="The file is wrong.")
    imported.refresh_from_db()
    assert imported.superseded == 2


def test_felms_irrelevant_value_brings_its_type() -> None:
    one, _ = disputed(make_dataset()).segments.all()
    gold = decide((one.pk, None), make_person("dora"), value="irrelevant", why="Off the point.")
    assert gold.error_type == "irrelevant"


def test_a_sentence_decided_irrelevant_supersedes_its_facts() -> None:
    facts = sentence_with_facts("supported")
    dora = make_person("dora")
    for fact in facts:
        decide((fact.segment_id, fact.pk), dora, value="supported", why="Yes.")
    whole = decide((facts[0].segment_id, None), dora, value="irrelevant", why="Not about her.")
    assert list(GoldLabel.objects.current()) == [whole]
    whole.segment.refresh_from_db()
    assert whole.segment.relevant is False


def test_a_fact_of_a_sentence_settled_as_irrelevant_cannot_be_decided() -> None:
    facts = sentence_with_facts("irrelevant")
    dora = make_person("dora")
    decide((facts[0].segment_id, None), dora, value="irrelevant", why="Not about her.")
    with pytest.raises(DecisionError, match="whole sentence is irrelevant"):
        decide((facts[0].segment_id, facts[0].pk), dora, value="supported", why="Yes.")


def test_a_sentence_taken_back_brings_its_facts_into_the_queue() -> None:
    facts = sentence_with_facts("irrelevant")
    dora = make_person("dora")
    whole = decide((facts[0].segment_id, None), dora, value="irrelevant", why="Not about her.")
    keep_sentence(facts[0].segment_id, dora, "It is, after all.", seen=whole.adjudication_id)
    whole.segment.refresh_from_db()
    assert whole.segment.relevant is True
    open_facts = [case.fact for case in open_cases(whole.segment.response.dataset)]
    assert open_facts == [fact.pk for fact in facts]
