"""A rebuttal opens, is answered once by each, and keeps both versions."""

from dataclasses import replace

import pytest

from annotate.administration.members import add_member, remove_member
from annotate.cases.counts import count_changed
from annotate.judgements.judgement import UnitJudgement
from annotate.judgements.units import readings_of
from annotate.labels.own_work import waiting_rebuttals
from annotate.labels.submit import SubmitError, submit_revision
from annotate.labels.submitted import submitted_draft
from annotate.models import Assignment, CaseChange, Label, Task
from annotate.rebuttal.answer import (
    RebuttalError,
    StaleRebuttalError,
    end_rebuttal,
    let_stand,
    revise,
    save_revision,
)
from annotate.rebuttal.evidence import Card, evidence_of_others
from annotate.rebuttal.page import revision_at_hand
from annotate.tasks.create import create_tasks
from tests.annotate.rebuttal.work import (
    PAGE,
    all_as,
    biography_in_rebuttal,
    dataset_with_rebuttal,
    disputed_task,
    submit_all,
)
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

WRONG = UnitJudgement("not_supported", "knowledge", "I see.")


def entries_of(assignment):
    """All that the annotator says in the rebuttal so far."""
    return revision_at_hand(assignment, readings_of(assignment.task)).whole


def task_is_labelled() -> bool:
    return Task.objects.labelled().exists()


def test_a_rebuttal_opens_with_the_last_submission_and_not_before():
    dataset = make_dataset()
    dataset.rebuttal = True
    dataset.save()
    make_response(dataset)
    create_tasks(dataset)
    Task.objects.update(wants=2)
    submit_all(dataset, "ada", UnitJudgement("supported"))
    assert Task.objects.get().rebuttal_at is None
    submit_all(dataset, "ben", UnitJudgement("not_supported", "knowledge"))
    assert Task.objects.get().rebuttal_at is not None


@pytest.mark.parametrize(
    ("other", "opens"),
    [
        (UnitJudgement("supported", "", "I know.", (PAGE,)), False),
        (UnitJudgement("supported", "", "I think so.", (replace(PAGE, stance="supports"),)), False),
        (UnitJudgement("supported", "", "I think so."), True),
        (UnitJudgement("supported", "", "I think so.", (replace(PAGE, quote="Two."),)), True),
        (UnitJudgement("not_supported", "knowledge", "I think so.", (PAGE,)), True),
    ],
)
def test_a_rebuttal_opens_only_where_a_judgement_or_the_evidence_differs(other, opens):
    dataset = make_dataset()
    dataset.rebuttal = True
    dataset.save()
    make_response(dataset, ["Two is odd."])
    create_tasks(dataset)
    Task.objects.update(wants=2)
    submit_all(dataset, "ada", UnitJudgement("supported", "", "I think so.", (PAGE,)))
    submit_all(dataset, "ben", other)
    assert (Task.objects.get().rebuttal_at is not None) is opens
    assert task_is_labelled() is not opens


def test_a_task_of_one_annotator_has_nobody_to_see_evidence_of():
    dataset = make_dataset()
    dataset.rebuttal = True
    dataset.save()
    make_response(dataset)
    create_tasks(dataset)
    submit_all(dataset, "ada", UnitJudgement("supported"))
    assert Task.objects.get().rebuttal_at is None
    assert task_is_labelled()


def test_a_dataset_without_rebuttal_goes_on_to_adjudication():
    dataset = make_dataset()
    make_response(dataset)
    create_tasks(dataset)
    Task.objects.update(wants=2)
    for name in ("ada", "ben"):
        submit_all(dataset, name, UnitJudgement("supported"))
    assert task_is_labelled()


def test_adjudication_waits_until_both_have_answered():
    ada, ben = disputed_task()
    assert not task_is_labelled()
    let_stand(ben, ben.draft_version)
    assert not task_is_labelled()
    revise(ada, all_as(ada, WRONG), ada.draft_version)
    assert task_is_labelled()


def test_both_versions_of_a_revised_label_stay():
    ada, _ = disputed_task()
    assert revise(ada, all_as(ada, WRONG), ada.draft_version) == 1
    labels = Label.objects.filter(assignment=ada).order_by("revision")
    assert [(each.revision, each.value) for each in labels] == [(0, "supported"), (1, "not_supported")]
    assert labels.in_force().get().reason == "I see."


def test_what_is_said_as_before_gets_no_row():
    ada, _ = disputed_task()
    assert revise(ada, entries_of(ada), ada.draft_version) == 0
    assert Label.objects.filter(assignment=ada).count() == 1
    assert not waiting_rebuttals(ada.task.dataset, ada.annotator).exists()


def test_a_revision_is_made_once():
    ada, _ = disputed_task()
    let_stand(ada, ada.draft_version)
    ada.refresh_from_db()
    with pytest.raises(RebuttalError, match="only one revision"):
        revise(ada, all_as(ada, WRONG), ada.draft_version)
    assert Label.objects.filter(assignment=ada).count() == 1


def test_an_incomplete_revision_changes_nothing():
    ada, _ = disputed_task()
    with pytest.raises(SubmitError, match="1 of 1 is still open"):
        revise(ada, {}, ada.draft_version)
    ada.refresh_from_db()
    assert ada.rebutted_at is None


def test_a_saved_revision_is_there_again_and_counts_for_nothing_yet():
    ada, _ = disputed_task()
    save_revision(ada, all_as(ada, WRONG), ada.draft_version)
    ada.refresh_from_db()
    assert entries_of(ada) == all_as(ada, WRONG)
    assert Label.objects.filter(assignment=ada).in_force().get().value == "supported"


def test_a_stale_page_overwrites_nothing():
    ada, _ = disputed_task()
    seen = ada.draft_version
    save_revision(ada, all_as(ada, WRONG), seen)
    with pytest.raises(StaleRebuttalError):
        save_revision(ada, all_as(ada, UnitJudgement("irrelevant", "irrelevant")), seen)
    ada.refresh_from_db()
    assert entries_of(ada) == all_as(ada, WRONG)


def test_an_ended_rebuttal_takes_no_answer_and_lets_adjudication_begin():
    ada, _ = disputed_task()
    assert end_rebuttal(ada.task, make_person("dora"))
    assert task_is_labelled()
    with pytest.raises(RebuttalError, match="has ended"):
        revise(ada, all_as(ada, WRONG), ada.draft_version)


def test_a_rebuttal_that_is_over_cannot_be_ended():
    ada, ben = disputed_task()
    let_stand(ada, ada.draft_version)
    let_stand(ben, ben.draft_version)
    assert not end_rebuttal(ada.task, make_person("dora"))
    assert Task.objects.get().rebuttal_ended_by is None


def test_the_others_evidence_is_source_and_quote_alone():
    ada, ben = disputed_task()
    segment = ada.labels.get().segment_id
    assert evidence_of_others(ada) == {segment: [Card("https://numbers.example", "", "Two is even.", None, "")]}
    assert evidence_of_others(ben) == {}


def test_what_is_cited_in_the_rebuttal_itself_is_not_shown():
    ada, ben = disputed_task()
    revise(ben, all_as(ben, UnitJudgement("supported")), ben.draft_version)
    assert len(evidence_of_others(ada)) == 1


def test_a_sentence_judged_as_a_whole_can_be_judged_by_its_facts_instead_and_back():
    ada, whole, facts = biography_in_rebuttal()
    first = submitted_draft(ada)
    assert revise(ada, facts, ada.draft_version) == 2  # one label taken back, one made
    assert submitted_draft(ada) == facts != first
    assert [label.fact_id for label in ada.labels.independent()] == [None]
    ada.refresh_from_db()
    assert submit_revision(ada, whole) == 2
    assert submitted_draft(ada) == whole


def test_nobody_waits_for_who_left_and_who_is_back_can_answer():
    ada, ben = disputed_task()
    dataset = ada.task.dataset
    make_person("dora", dataset, "adjudicator")
    let_stand(ben, ben.draft_version)
    assert not task_is_labelled()
    count_changed()
    remove_member(dataset.memberships.get(user=ada.annotator))
    assert task_is_labelled()
    assert CaseChange.objects.exists(), "the queue counts the task anew"
    assert not Assignment.objects.awaited_in_rebuttal().exists()
    add_member(dataset, "ada", "annotator")
    ada.refresh_from_db()
    assert not task_is_labelled()
    assert ada.awaits_rebuttal
    let_stand(ada, ada.draft_version)
    assert task_is_labelled()


def test_a_rebuttal_that_opens_later_does_not_wait_for_who_left_before():
    dataset = dataset_with_rebuttal()
    make_person("dora", dataset, "adjudicator")
    ada = submit_all(dataset, "ada", UnitJudgement("supported"))
    remove_member(dataset.memberships.get(user=ada.annotator))
    ben = submit_all(dataset, "ben", UnitJudgement("not_supported", "knowledge", "No.", (PAGE,)))
    assert list(Assignment.objects.awaited_in_rebuttal()) == [ben]
