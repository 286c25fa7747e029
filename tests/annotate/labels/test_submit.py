"""Submission: complete, at once, for good."""

import pytest

from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.labels.draft import SaveOutcome
from annotate.labels.submit import SubmitError, submit
from annotate.models import Assignment, Dataset, Guideline, Label
from annotate.tasks.places import give_back
from tests.annotate.labels.script import entry, script_saves
from tests.annotate.labels.work import client_of, factscore_work, felm_work, keys, named, page_of, save

pytestmark = pytest.mark.django_db

COMPLETE = UnitJudgement("not_supported", "knowledge", "Even.")
SUPPORTED, WRONG, OFF = UnitJudgement("supported"), UnitJudgement("not_supported"), UnitJudgement("irrelevant")


def values() -> list[tuple[str, str]]:
    return [((label.fact or label.segment).text, label.value) for label in Label.objects.order_by("pk")]


def test_a_complete_draft_becomes_labels():
    work = felm_work()
    saved = save(
        work,
        u0=SUPPORTED,
        u1=UnitJudgement(
            "not_supported", "knowledge", "Even.", (CitedReference("https://a.example"), CitedReference("b"))
        ),
    )
    _, wrong = submit(saved.assignment)
    assert values() == [("One is odd.", "supported"), ("Two is odd.", "not_supported")]
    assert (wrong.error_type, wrong.reason, wrong.revision) == ("knowledge", "Even.", 0)
    assert list(wrong.references.values_list("url", flat=True)) == ["https://a.example", "b"]
    work.refresh_from_db()
    assert (work.state, work.draft, work.lease_until) == ("submitted", {}, None)


def test_an_incomplete_draft_is_refused():
    saved = save(felm_work(), u0=SUPPORTED)
    with pytest.raises(SubmitError, match="1 of 2 is still open"):
        submit(saved.assignment)
    assert not Label.objects.exists()


def test_nothing_is_submitted_twice_and_nothing_changes_afterwards():
    saved = save(felm_work(), u0=SUPPORTED, u1=WRONG)
    submit(saved.assignment)
    with pytest.raises(SubmitError):
        submit(saved.assignment)
    assert save(saved.assignment, u0=WRONG).outcome is SaveOutcome.SUBMITTED
    assert Label.objects.count() == 2


def test_a_place_given_back_cannot_be_submitted():
    saved = save(felm_work(), u0=SUPPORTED, u1=WRONG)
    give_back(saved.assignment)
    with pytest.raises(SubmitError):
        submit(saved.assignment)


def test_an_error_needs_no_type():
    submit(save(felm_work(), u0=SUPPORTED, u1=WRONG).assignment)
    assert Label.objects.get(value="not_supported").error_type == ""


def test_labels_keep_the_guidelines_in_force_where_no_page_named_any():
    work = felm_work()
    add_guidelines(work.task.dataset, 2)
    submit(save(work, u0=SUPPORTED, u1=WRONG).assignment)
    assert {label.guideline.version for label in Label.objects.all()} == {2}


def test_labels_keep_the_guidelines_that_the_page_showed():
    work = felm_work()
    add_guidelines(work.task.dataset, 4)
    one, two = keys(work)
    entries = {one: entry("supported"), two: entry("supported")}
    script_saves(work, {one: entry("supported")}, guideline=3)
    work.refresh_from_db()
    assert work.guideline_version == 3
    script_saves(work, entries, version=1, guideline=2, submit=True)
    assert {label.guideline.version for label in Label.objects.all()} == {2}


def test_labels_of_a_page_without_guidelines_keep_none():
    work = felm_work()
    add_guidelines(work.task.dataset, 1)
    one, two = keys(work)
    script_saves(work, {one: entry("supported"), two: entry("supported")}, guideline=0, submit=True)
    assert {label.guideline for label in Label.objects.all()} == {None}


def test_the_plain_form_names_the_guidelines_that_it_shows():
    work = felm_work()
    add_guidelines(work.task.dataset, 1)
    client, address = client_of(work.annotator), page_of(work)
    page = client.get(f"{address}?plain").text
    assert '<input type="hidden" name="guideline" value="1">' in page
    add_guidelines(work.task.dataset, 2)
    form = {f"value-{key}": "supported" for key in keys(work)}
    client.post(address, named(work, {**form, "version": "0", "guideline": "1", "action": "submit"}))
    assert {label.guideline.version for label in Label.objects.all()} == {1}


def add_guidelines(dataset: Dataset, number: int) -> None:
    """So many versions, those that there are included."""
    for version in range(dataset.guidelines.count() + 1, number + 1):
        Guideline.objects.create(dataset=dataset, version=version, text=f"Be kind, {version} times.")


@pytest.mark.parametrize(
    ("required", "judgement", "needs"),
    [
        ("type_required", UnitJudgement("not_supported", reason="Even."), "a type"),
        ("reason_required", UnitJudgement("not_supported", "knowledge", " "), "a reason"),
    ],
)
def test_an_error_without_what_its_dataset_requires_is_refused(required, judgement, needs):
    work = felm_work()
    Dataset.objects.update(**{required: True})
    with pytest.raises(SubmitError, match=f"The error “Two is odd.” needs {needs}"):
        submit(save(Assignment.objects.get(), u0=SUPPORTED, u1=judgement).assignment)
    assert not Label.objects.exists()
    submit(save(Assignment.objects.get(), u0=SUPPORTED, u1=COMPLETE).assignment)
    assert Label.objects.filter(assignment=work).count() == 2


def test_an_error_of_a_fact_needs_no_type():
    factscore_work()
    Dataset.objects.update(type_required=True)
    submit(save(Assignment.objects.get(), u0=OFF, u4=WRONG).assignment)
    assert Label.objects.filter(value="not_supported").count() == 1


def test_an_irrelevant_sentence_is_one_label_and_its_facts_none():
    submit(save(factscore_work(), u0=OFF, u1=WRONG, u4=SUPPORTED).assignment)
    assert values() == [("Ada sings and dances.", "irrelevant"), ("Ada is old.", "supported")]
