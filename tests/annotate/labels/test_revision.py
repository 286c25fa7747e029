"""What is submitted beside labels, read back; and a revision, which appends what changed."""

import pytest

from annotate.judgements.entries import Comment, Correction, ResponseVerdict, correction_key, verdict_key
from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.labels.submit import SubmitError, submit, submit_revision
from annotate.labels.submitted import submitted_draft
from annotate.models import Assignment, Edit, Label, ResponseLabel
from tests.annotate.labels.work import factscore_work, felm_work, keys, save

pytestmark = pytest.mark.django_db

SUPPORTED, WRONG = UnitJudgement("supported"), UnitJudgement("not_supported")


def submitted(work: Assignment, *values: UnitJudgement, **others) -> Assignment:
    """Judged in reading order (of FActScore the facts), and submitted."""
    addresses = [key for key in keys(work) if "." in key] or keys(work)
    work.draft = {key: entry.stored() for key, entry in [*zip(addresses, values, strict=True), *others.items()]}
    work.save()
    submit(work)
    work.refresh_from_db()
    return work


def sentences(work: Assignment) -> list[int]:
    return list(work.task.responses.get().segments.values_list("pk", flat=True))


def test_all_that_was_said_is_submitted_and_read_back():
    work = factscore_work()
    first, second = sentences(work)
    card = CitedReference("https://a.example", "Ada sings.", "supports")
    irrelevant = UnitJudgement("irrelevant", irrelevance="unrelated", flagged=True)
    corrections = {correction_key(first): Correction("Ada sings."), correction_key(second): Correction("")}
    facts = (UnitJudgement("supported", references=(card,)), WRONG, irrelevant)
    work = submitted(work, *facts, **corrections, comment=Comment("Odd."))
    assert work.comment == "Odd."
    back = submitted_draft(work)
    judged = [entry for entry in back.values() if isinstance(entry, UnitJudgement)]
    assert [(each.value, each.irrelevance, each.flagged) for each in judged] == [
        ("supported", "", False),
        ("not_supported", "", False),
        ("irrelevant", "unrelated", True),
    ]
    [reference] = judged[0].references
    assert (reference.url, reference.quote, reference.stance) == ("https://a.example", "Ada sings.", "supports")
    assert back.items() >= corrections.items()


def test_an_irrelevant_fact_must_say_in_which_way():
    with pytest.raises(SubmitError, match="1 of 3 is still open"):
        submitted(factscore_work(), SUPPORTED, WRONG, UnitJudgement("irrelevant"))


def test_a_removal_needs_a_reason():
    work = felm_work()
    key = verdict_key(work.task.responses.get().pk)
    with pytest.raises(SubmitError, match="Enter a reason for removing the response"):
        submitted(work, SUPPORTED, SUPPORTED, **{key: ResponseVerdict(False, " ")})
    submitted(work, SUPPORTED, SUPPORTED, **{key: ResponseVerdict(False, "Spam.")})
    assert ResponseLabel.objects.get().reason == "Spam."


def test_a_revision_appends_what_changed_and_nothing_else():
    work = submitted(felm_work(), SUPPORTED, WRONG)
    one, two = keys(work)
    assert submit_revision(work, {one: SUPPORTED, two: SUPPORTED}) == 1
    assert list(Label.objects.order_by("pk").values_list("value", "revision")) == [
        ("supported", 0),
        ("not_supported", 0),
        ("supported", 1),
    ]
    assert submitted_draft(work) == {one: SUPPORTED, two: SUPPORTED}


def test_a_revision_takes_back_a_correction_and_a_verdict():
    work = factscore_work()
    first, _ = sentences(work)
    work = submitted(work, SUPPORTED, WRONG, SUPPORTED, **{correction_key(first): Correction("Ada sings.")})
    judgements = {key: entry for key, entry in submitted_draft(work).items() if isinstance(entry, UnitJudgement)}
    assert submit_revision(work, judgements) == 1
    assert list(Edit.objects.order_by("revision").values_list("text", "revision")) == [
        ("Ada sings.", 0),
        ("Ada sings and dances.", 1),
    ]


def test_a_revision_cannot_leave_a_unit_out():
    work = submitted(factscore_work(), SUPPORTED, WRONG, SUPPORTED)
    before = submitted_draft(work)
    with pytest.raises(SubmitError, match="still open"):
        submit_revision(work, dict(list(before.items())[1:]))


def test_only_what_was_submitted_can_be_revised():
    work = save(felm_work(), u0=SUPPORTED, u1=WRONG).assignment
    with pytest.raises(SubmitError, match="Only submitted work"):
        submit_revision(work, {})
