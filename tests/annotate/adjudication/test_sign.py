"""Signatures: who may give them, what they settle, when they fall, and what waits for them."""

import pytest
from django.utils import timezone

from annotate.adjudication.decide import DecisionError, decide
from annotate.adjudication.review import review
from annotate.adjudication.sign import sign
from annotate.adjudication.unanimous import accept_unanimous
from annotate.adjudication.whole import edited_sentences, removal_status_of, settle_edit, settle_removal
from annotate.cases.signatures import last_decided
from annotate.export.dataset import export_dataset
from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset, Edit, GoldEdit, GoldLabel, Response, ResponseLabel, Role, Signature, Task, User
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    dataset = make_dataset()
    dataset.review = "super"
    dataset.save()
    return dataset


@pytest.fixture
def response(dataset: Dataset) -> Response:
    return make_response(dataset)


@pytest.fixture
def task(response: Response) -> Task:
    """Ada and Ben agree on the first segment and not on the second."""
    task = make_task(response)
    one, two = response.segments.all()
    judge(task, "ada", {one: "supported", two: "not_supported/reasoning"})
    judge(task, "ben", {one: "supported", two: "supported"})
    return task


@pytest.fixture
def dora(dataset: Dataset) -> User:
    return make_person("dora", dataset, Role.ADJUDICATOR)


@pytest.fixture
def sue(dataset: Dataset) -> User:
    return make_person("sue", dataset, Role.ADJUDICATOR)


def settle_the_second(response: Response, who: User) -> None:
    decide((response.segments.all()[1].pk, None), who, "not_supported", why="Two is even.")


def test_a_response_in_dispute_cannot_be_signed(response, task, dora):
    with pytest.raises(DecisionError, match="adjudicate first: 1 judgement in dispute"):
        sign(response.pk, "reviewer", dora, "Read it all.")
    assert not Signature.objects.exists()
    assert not GoldLabel.objects.exists()


def test_the_reviewer_accepts_what_all_agree_on_and_the_super_reviewer_closes_the_task(response, task, dora, sue):
    settle_the_second(response, dora)
    task.refresh_from_db()
    assert task.closed_at is None

    sign(response.pk, "reviewer", dora, "Read it all.")
    task.refresh_from_db()
    assert task.closed_at is None
    first = GoldLabel.objects.current().get(segment=response.segments.all()[0])
    assert (first.source, first.adjudication.who, first.adjudication.why) == ("unanimous", dora, "Read it all.")

    sign(response.pk, "super", sue, "Read it again.")
    task.refresh_from_db()
    assert task.closed_at is not None


def test_the_super_reviewer_comes_second_and_is_somebody_else(response, task, dora):
    settle_the_second(response, dora)
    with pytest.raises(DecisionError, match="a reviewer must sign first"):
        sign(response.pk, "super", dora, "Read it.")
    sign(response.pk, "reviewer", dora, "Read it.")
    with pytest.raises(DecisionError, match="the super reviewer is a different person"):
        sign(response.pk, "super", dora, "Read it again.")
    with pytest.raises(DecisionError, match="dora has already signed"):
        sign(response.pk, "reviewer", dora, "Once more.")


def test_a_signature_falls_when_gold_below_it_changes(response, task, dora, sue):
    settle_the_second(response, dora)
    sign(response.pk, "reviewer", dora, "Read it.")
    second = response.segments.all()[1]
    decide((second.pk, None), sue, "supported", why="I see it otherwise.", seen=second.adjudications.get().pk)
    assert Signature.objects.get().withdrawn_at is not None
    sign(response.pk, "reviewer", sue, "Now it is right.")


def test_nothing_is_accepted_in_bulk_where_signatures_are_asked_for(dataset, task, dora):
    with pytest.raises(DecisionError, match="needs a signature for every response"):
        accept_unanimous(dataset, dora, "All agree.")


def test_a_correction_on_which_all_agree_is_settled_by_the_signature(response, task, dora):
    settle_the_second(response, dora)
    second = response.segments.all()[1]
    for assignment in task.assignments.all():
        Edit.objects.create(assignment=assignment, segment=second, text="Two is even.")
    sign(response.pk, "reviewer", dora, "Read it.")
    assert GoldEdit.objects.current().get().text == "Two is even."


def test_corrections_that_differ_are_settled_by_a_person(response, task, dora):
    settle_the_second(response, dora)
    second = response.segments.all()[1]
    Edit.objects.create(assignment=task.assignments.first(), segment=second, text="Two is even.")
    assert sorted(edited_sentences(response)[0].versions) == ["Two is even.", "Two is odd."]
    with pytest.raises(DecisionError, match="1 corrected sentence differs"):
        sign(response.pk, "reviewer", dora, "Read it.")
    settle_edit(second.pk, dora, "Two is even.", "That is what it is.")
    sign(response.pk, "reviewer", dora, "Read it.")
    # The decision on the text is none on the values: who decides on those next need not have seen it.
    decided = second.adjudications.on_values().get()
    decide((second.pk, None), dora, "not_supported", "reasoning", why="And a type.", seen=decided.pk)


def test_a_removed_response_leaves_gold_exports_and_versions_but_not_the_database(dataset, response, task, dora):
    settle_the_second(response, dora)
    remaining = make_response(dataset, ["Three is odd."])
    other = make_task(remaining, wants=1)
    judge(other, "ada", {remaining.segments.get(): "supported"})
    for each in (response, remaining):
        sign(each.pk, "reviewer", dora, "Read it.")
    before = freeze_gold(dataset, "before")
    ResponseLabel.objects.create(assignment=task.assignments.first(), response=response, keep=False, reason="Trivial.")

    settle_removal(response, dora, keep=False, why="It asks for nothing.")

    left_out: list[tuple[str, str]] = []
    rows = list(export_dataset(dataset, "felm", left_out=lambda *each: left_out.append(each)))
    assert len(rows) == 1
    assert left_out == [(response.index, "it was removed from the dataset")]
    assert freeze_gold(dataset, "after").labels == 1
    # What was frozen before holds what it held.
    assert before.labels == 3
    assert len(list(export_dataset(dataset, "felm", gold_version="before"))) == 2
    assert GoldLabel.objects.current().filter(segment__response=response).count() == 2


def test_a_removal_in_dispute_is_settled_before_the_signature(response, task, dora):
    settle_the_second(response, dora)
    ResponseLabel.objects.create(assignment=task.assignments.first(), response=response, keep=False, reason="Trivial.")
    with pytest.raises(DecisionError, match="somebody would remove the response"):
        sign(response.pk, "reviewer", dora, "Read it.")
    settle_removal(response, dora, keep=True, why="It is a fair question.")
    sign(response.pk, "reviewer", dora, "Read it.")


@pytest.mark.parametrize(
    ("said", "message"), [("  ", "say "), ("Re\0ad.", "holds a character that the database cannot")]
)
def test_a_note_or_reason_is_needed_that_every_database_keeps(response, task, dora, said, message):
    settle_the_second(response, dora)
    second = response.segments.all()[1]
    with pytest.raises(DecisionError, match=message):
        sign(response.pk, "reviewer", dora, said)
    with pytest.raises(DecisionError, match=message):
        settle_edit(second.pk, dora, "Two is even.", said)
    with pytest.raises(DecisionError, match=message):
        settle_removal(response, dora, keep=False, why=said)
    assert not (Signature.objects.exists() or GoldEdit.objects.exists() or response.removals.exists())


def test_nobody_signs_gold_that_changed_since_they_read_it(response, task, dora, sue):
    settle_the_second(response, dora)
    second = response.segments.all()[1]
    read = second.adjudications.get().pk
    decide((second.pk, None), sue, "supported", why="I see it otherwise.", seen=read)
    with pytest.raises(DecisionError, match="decision was made in the meantime"):
        sign(response.pk, "reviewer", dora, "Read it.", seen=f"{read}.0")
    assert not Signature.objects.exists()
    sign(response.pk, "reviewer", dora, "Read it again.", seen=last_decided(response))


def test_nobody_signs_what_was_removed_since_they_read_it(response, task, dora, sue):
    settle_the_second(response, dora)
    read = last_decided(response)
    settle_removal(response, sue, keep=False, why="It asks for nothing.")
    with pytest.raises(DecisionError, match="decision was made in the meantime"):
        sign(response.pk, "reviewer", dora, "Read it.", seen=read)
    sign(response.pk, "reviewer", dora, "Read it again.", seen=last_decided(response))


def test_what_was_said_of_known_answers_corrects_and_removes_nothing(response, task, dora):
    settle_the_second(response, dora)
    second = response.segments.all()[1]
    ada = task.assignments.first()
    Edit.objects.create(assignment=ada, segment=second, text="Two is even.")
    ResponseLabel.objects.create(assignment=ada, response=response, keep=False, reason="Trivial.")
    task.assignments.update(comment="A word to the adjudicator.")
    assert (len(edited_sentences(response)), removal_status_of(response).disputed) == (1, True)
    Task.objects.update(kind=Task.Kind.CONTROL)
    assert (edited_sentences(response), removal_status_of(response).verdicts) == ([], ())
    assert review(response).comments == ()


def test_nobody_settles_over_what_they_have_not_seen(response, task, dora, sue):
    settle_the_second(response, dora)
    second = response.segments.all()[1]
    Edit.objects.create(assignment=task.assignments.first(), segment=second, text="Two is even.")
    read = last_decided(response)
    settle_edit(second.pk, sue, "2 is even.", "Shorter.", seen=read)
    with pytest.raises(DecisionError, match="decision was made in the meantime"):
        settle_edit(second.pk, dora, "Two is even.", "As Ada has it.", seen=read)
    with pytest.raises(DecisionError, match="decision was made in the meantime"):
        settle_removal(response, dora, keep=False, why="It asks for nothing.", seen=read)
    assert GoldEdit.objects.get().text == "2 is even."
    assert not response.removals.exists()
    settle_removal(response, dora, keep=False, why="It asks for nothing.", seen=last_decided(response))


def test_a_correction_is_settled_once_all_could_make_theirs(response, dora):
    task = make_task(response)
    second = response.segments.all()[1]
    ada = judge(task, "ada", dict.fromkeys(response.segments.all(), "not_supported"))
    Edit.objects.create(assignment=ada, segment=second, text="Two is even.")
    assert not edited_sentences(response)[0].agreed
    with pytest.raises(DecisionError, match="its annotators have not finished"):
        settle_edit(second.pk, dora, "Two is even.", "As Ada has it.")
    judge(task, "ben", dict.fromkeys(response.segments.all(), "not_supported"))
    Task.objects.update(rebuttal_at=timezone.now())
    with pytest.raises(DecisionError, match="its annotators have not finished"):
        settle_edit(second.pk, dora, "Two is even.", "As Ada has it.")
    Task.objects.update(rebuttal_at=None)
    settle_edit(second.pk, dora, "Two is even.", "As Ada has it.")
    Task.objects.update(wants=3)  # what is settled may be settled otherwise
    settle_edit(second.pk, dora, "2 is even.", "Shorter.")
    assert GoldEdit.objects.current().get().text == "2 is even."


def test_nobody_signs_for_known_answers(response, task, dora):
    settle_the_second(response, dora)
    Task.objects.update(kind=Task.Kind.CONTROL)
    with pytest.raises(DecisionError, match="known answers need no signature"):
        sign(response.pk, "reviewer", dora, "Read it.")


def test_what_is_said_of_a_response_stands_in_no_order_of_place(dataset):
    """The first of two annotators does not come first in every response: twelve of them could by chance in 2^-12."""
    first: list[tuple[str, bool, str]] = []
    for _ in range(12):
        one, two = (response := make_response(dataset)).segments.all()
        task = make_task(response)
        for name, keep in (("ada", True), ("ben", False)):
            own = judge(task, name, {one: "supported", two: "supported"})
            Edit.objects.create(assignment=own, segment=two, text=f"{name} wrote it.")
            ResponseLabel.objects.create(
                assignment=own, response=response, keep=keep, reason="" if keep else "Trivial."
            )
        task.assignments.filter(place=0).update(comment="I came first.")
        task.assignments.filter(place=1).update(comment="I came second.")
        response.refresh_from_db()
        read = review(response)
        first.append((read.edits[0].versions[0], read.whole.verdicts[0].keep, read.comments[0]))
    assert [len(set(column)) for column in zip(*first, strict=True)] == [2, 2, 2]
