"""What annotators agree on, accepted in bulk under a name."""

import pytest

from annotate.adjudication.decide import DecisionError
from annotate.adjudication.queue import queue_of
from annotate.adjudication.unanimous import accept_unanimous
from annotate.adjudication.whole import settle_edit, settle_removal
from annotate.models import Dataset, Edit, GoldEdit, GoldLabel
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_facts, make_dataset, make_person, make_response

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
    with pytest.raises(DecisionError, match="there are 1 by now, not 3"):
        accept_unanimous(dataset, make_person("dora"), "Looked through.", expected=3)
    assert GoldLabel.objects.count() == 0


def test_nothing_to_accept_is_said() -> None:
    with pytest.raises(DecisionError, match="nothing"):
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
    assert (whole.response, whole.words) == (response, "1 corrected sentence differs")
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
    assert [whole.words for whole in queue_of(dataset).wholes] == ["somebody would remove the response"]
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
