"""What annotators agree on, accepted in bulk under a name."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.adjudication.decide import DecisionError
from annotate.adjudication.queue import queue_of
from annotate.adjudication.sign import sign
from annotate.adjudication.unanimous import accept, accept_unanimous
from annotate.adjudication.whole import settle_edit, settle_removal
from annotate.cases.addresses import cases_of
from annotate.models import Assignment, Dataset, Edit, GoldEdit, GoldLabel, Response, Task
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def half_agreed(dataset: Dataset) -> None:
    """Ada and Ben agree on the first segment and not on the second."""
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response)
    judge(task, "ada", {one: "not_supported/knowledge/It is even.", two: "supported"})
    judge(task, "ben", {one: "not_supported/knowledge/So it is.", two: "not_supported"})


def test_only_what_all_agree_on_is_accepted() -> None:
    dataset = make_dataset()
    half_agreed(dataset)
    dora = make_person("dora")
    assert accept_unanimous(dataset, dora, "Looked through.") == 1
    gold = GoldLabel.objects.get()
    assert (gold.value, gold.error_type, gold.source) == ("not_supported", "knowledge", "unanimous")
    assert gold.adjudication is not None
    assert (gold.adjudication.who, gold.adjudication.why) == (dora, "Looked through.")


def test_the_first_reason_and_the_references_of_all_go_with_it() -> None:
    dataset = make_dataset()
    half_agreed(dataset)
    accept_unanimous(dataset, make_person("dora"), "Looked through.")
    gold = GoldLabel.objects.get()
    assert gold.reason == "It is even."
    assert [link.url for link in gold.references.all()] == ["https://ada.example", "https://ben.example"]


def test_what_one_alone_judged_is_accepted_and_closes_the_task() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response, wants=1)
    judge(task, "ada", {one: "supported", two: "supported"})
    assert accept_unanimous(dataset, make_person("dora"), "Ada knows.") == 2
    task.refresh_from_db()
    assert task.closed_at is not None


def test_a_number_that_has_changed_since_it_was_shown_is_refused() -> None:
    dataset = make_dataset()
    half_agreed(dataset)
    with pytest.raises(DecisionError, match="there are now 1, not 3"):
        accept_unanimous(dataset, make_person("dora"), "Looked through.", expected=3)
    assert GoldLabel.objects.count() == 0


@pytest.mark.parametrize(("why", "message"), [("  ", "say why"), ("Look\0ed.", "the reason holds a character")])
def test_a_reason_is_needed_that_every_database_keeps(why: str, message: str) -> None:
    dataset = make_dataset()
    half_agreed(dataset)
    with pytest.raises(DecisionError, match=message):
        accept_unanimous(dataset, make_person("dora"), why)
    assert not GoldLabel.objects.exists()


def test_nothing_to_accept_is_said() -> None:
    with pytest.raises(DecisionError, match="no unanimous units"):
        accept_unanimous(make_dataset(), make_person("dora"), "Looked through.")


def test_all_in_one_revision() -> None:
    dataset = make_dataset()
    for _ in range(3):
        half_agreed(dataset)
    accept_unanimous(dataset, make_person("dora"), "Looked through.")
    assert list(GoldLabel.objects.values_list("revision", flat=True)) == [1, 1, 1]


def test_a_sentence_irrelevant_to_all_is_marked_so() -> None:
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset, ("She sings.",), subject="gpt")
    (fact,) = add_facts(response, [["She sings songs."]])
    judge(make_task(response, wants=1), "ada", {fact.segment: "irrelevant"})
    accept_unanimous(dataset, make_person("dora"), "Looked through.")
    fact.segment.refresh_from_db()
    assert fact.segment.relevant is False


def test_corrections_that_differ_keep_a_task_open_until_somebody_settles_them() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response)
    ada = judge(task, "ada", {one: "supported", two: "not_supported"})
    judge(task, "ben", {one: "supported", two: "not_supported"})
    Edit.objects.create(assignment=ada, segment=two, text="Two is even.")
    dora = make_person("dora")
    assert accept_unanimous(dataset, dora, "Looked through.") == 2
    task.refresh_from_db()
    assert task.closed_at is None
    (whole,) = queue_of(dataset).wholes
    assert (whole.response, whole.description) == (response, "1 corrected sentence differs")
    settle_edit(two.pk, dora, "Two is even.", "So it is.")
    task.refresh_from_db()
    assert task.closed_at is not None
    assert queue_of(dataset).wholes == ()


def test_a_removal_in_doubt_keeps_a_task_open_until_somebody_settles_it() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response, wants=1)
    ada = judge(task, "ada", {one: "supported", two: "supported"})
    ada.response_labels.create(response=response, keep=False, reason="Trivial.")
    dora = make_person("dora")
    accept_unanimous(dataset, dora, "Looked through.")
    task.refresh_from_db()
    assert task.closed_at is None
    assert [whole.description for whole in queue_of(dataset).wholes] == ["somebody would remove the response"]
    response.refresh_from_db()
    settle_removal(response, dora, keep=True, why="It is a fair question.")
    task.refresh_from_db()
    assert task.closed_at is not None


def test_corrections_on_which_all_agree_are_accepted_with_the_judgements() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response)
    for name in ("ada", "ben"):
        own = judge(task, name, {one: "supported", two: "not_supported"})
        Edit.objects.create(assignment=own, segment=two, text="Two is even.")
    assert queue_of(dataset).unanimous == 3
    assert accept_unanimous(dataset, make_person("dora"), "Looked through.", expected=3) == 3
    assert GoldEdit.objects.current().get().text == "Two is even."
    task.refresh_from_db()
    assert task.closed_at is not None


def irrelevant_with_gold_of_a_fact(name: str) -> tuple[Dataset, Response]:
    """Ada found the sentence irrelevant as a whole; one of its facts had come with gold."""
    dataset = make_dataset(name, scheme="factscore")
    response = make_response(dataset, ("She sings and dances.",), subject="gpt")
    facts = add_facts(response, [["She sings.", "She dances."]])
    add_gold(facts[0], "supported")
    judge(make_task(response, wants=1), "ada", {facts[0].segment: "irrelevant"})
    return dataset, response


def gold_in_force(response: Response) -> list[tuple[int | None, str]]:
    return list(GoldLabel.objects.current().filter(segment__response=response).values_list("fact", "value"))


def test_a_sentence_accepted_as_irrelevant_ends_the_gold_of_its_facts() -> None:
    dataset, response = irrelevant_with_gold_of_a_fact("lives")
    accept_unanimous(dataset, make_person("dora"), "Looked through.")
    assert gold_in_force(response) == [(None, "irrelevant")]
    assert GoldLabel.objects.get(fact__isnull=False).superseded == GoldLabel.objects.get(fact=None).revision


def test_a_sentence_signed_as_irrelevant_ends_the_gold_of_its_facts() -> None:
    dataset, response = irrelevant_with_gold_of_a_fact("lives")
    dataset.review = "reviewer"
    dataset.save()
    sign(response.pk, "reviewer", make_person("dora"), "Read it.")
    assert gold_in_force(response) == [(None, "irrelevant")]


def test_facts_that_are_accepted_end_no_other_gold() -> None:
    dataset = make_dataset("lives", scheme="factscore")
    response = make_response(dataset, ("She sings and dances.",), subject="gpt")
    facts = add_facts(response, [["She sings.", "She dances."]])
    add_gold(facts[0], "supported")
    judge(make_task(response, wants=1), "ada", dict.fromkeys(facts, "not_supported"))
    accept_unanimous(dataset, make_person("dora"), "Looked through.")
    assert sorted(gold_in_force(response)) == [(facts[0].pk, "supported"), (facts[1].pk, "not_supported")]


def test_a_type_that_one_left_on_a_supported_unit_is_not_of_gold() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    judge(make_task(response, wants=1), "ada", {one: "supported/knowledge", two: "not_supported/knowledge"})
    accept_unanimous(dataset, make_person("dora"), "Looked through.")
    gold = GoldLabel.objects.order_by("segment__position").values_list("value", "error_type")
    assert list(gold) == [("supported", ""), ("not_supported", "knowledge")]


def test_what_was_said_of_known_answers_gives_gold_no_reason() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response, wants=1)
    earlier = judge(task, "ada", {one: "supported", two: "supported"})
    Assignment.objects.filter(pk=earlier.pk).update(submitted_at=timezone.now() - timedelta(days=2))
    judge(task, "ben", {one: "supported//Of known answers.", two: "supported"})
    Task.objects.update(kind=Task.Kind.CONTROL, known_since=timezone.now() - timedelta(days=1))
    accept(dataset, list(cases_of(dataset, Task.objects.all())), make_person("dora"), "Read it.", revision=1)
    assert list(GoldLabel.objects.values_list("value", "reason")) == [("supported", ""), ("supported", "")]
