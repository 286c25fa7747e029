"""Submitted work that goes back to its annotator: by an adjudicator with a note, or by themselves."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.administration.members import remove_member
from annotate.judgements.judgement import UnitJudgement
from annotate.labels.returned import ReturnError, may_take_back, send_back, take_back
from annotate.labels.skip import SkipError, skip
from annotate.labels.submit import submit
from annotate.models import (
    Adjudication,
    Assignment,
    AssignmentEvent,
    Label,
    Membership,
    Signature,
    Task,
    User,
    ViewReceipt,
)
from annotate.people.receipts import note_receipt
from annotate.tasks.places import keep_submission, lapse_expired
from annotate.tasks.serving import open_next
from tests.annotate.labels.work import client_of, felm_work, keys, page_of
from tests.factories import add_gold, make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

SUPPORTED, WRONG = UnitJudgement("supported"), UnitJudgement("not_supported")


def judge(work: Assignment, *values: UnitJudgement) -> Assignment:
    """Both sentences judged and submitted."""
    work.draft = {key: value.stored() for key, value in zip(keys(work), values, strict=True)}
    work.save()
    submit(work)
    return fresh(work)


def fresh(work: Assignment) -> Assignment:
    return Assignment.objects.select_related("task__dataset", "annotator").get(pk=work.pk)


def rows(work: Assignment) -> list[tuple[int, str, int]]:
    """Each label: the sentence's number, value, revision."""
    labels = work.labels.order_by("revision", "segment__position")
    return list(labels.values_list("segment__position", "value", "revision"))


@pytest.fixture
def work() -> Assignment:
    """Ada's, submitted: both sentences supported."""
    return judge(felm_work(), SUPPORTED, SUPPORTED)


@pytest.fixture
def dora(work) -> User:
    return make_person("dora", work.task.dataset, "adjudicator")


def test_what_is_sent_back_is_open_with_the_submitted_answers_and_the_labels_stay(work, dora):
    returned = send_back(work, " Look at the second again. ", dora)
    assert (returned.state, returned.is_returned) == ("open", True)
    assert [entry["value"] for entry in returned.draft.values()] == ["supported", "supported"]
    assert rows(work) == [(0, "supported", 0), (1, "supported", 0)]
    event = AssignmentEvent.objects.get()
    assert (event.what, event.who, event.note) == ("sent_back", dora, "Look at the second again.")


def test_the_second_submission_appends_what_changed(work, dora):
    work = judge(send_back(work, "Look again.", dora), SUPPORTED, WRONG)
    assert rows(work) == [(0, "supported", 0), (1, "supported", 0), (1, "not_supported", 1)]
    assert [label.value for label in work.labels.in_force().order_by("segment__position")] == [
        "supported",
        "not_supported",
    ]
    assert AssignmentEvent.objects.last().what == "revised"


def test_a_revision_after_a_note_is_not_independent_and_one_taken_back_is(work, dora):
    def independent() -> list[str]:
        labels = Label.objects.of(work.task.dataset).independent().order_by("segment__position")
        return list(labels.values_list("value", flat=True))

    judge(take_back(work), SUPPORTED, WRONG)
    assert independent() == ["supported", "not_supported"]
    judge(send_back(fresh(work), "Look again.", dora), WRONG, WRONG)
    assert independent() == ["supported", "not_supported"]
    judge(take_back(fresh(work)), SUPPORTED, SUPPORTED)
    assert independent() == ["supported", "not_supported"]


def test_sent_back_work_is_served_first_and_never_expires(work, dora):
    send_back(work, "Look again.", dora, timezone.now() - timedelta(days=9))
    assert lapse_expired(work.task.dataset) == 0
    assert open_next(work.task.dataset, work.annotator).pk == work.pk


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"closed_at": timezone.now()}, "adjudicated and closed"),
        ({"rebuttal_at": timezone.now()}, "its rebuttal has begun"),
        ({"kind": "control"}, "counts as it was submitted"),
        ({"kind": "qualification"}, "counts as it was submitted"),
    ],
)
def test_what_cannot_be_sent_back_says_why(work, dora, change, why):
    Task.objects.filter(pk=work.task_id).update(**change)
    with pytest.raises(ReturnError, match=why):
        send_back(fresh(work), "Look again.", dora)
    assert fresh(work).state == "submitted"


def test_a_note_is_asked_for(work, dora):
    with pytest.raises(ReturnError, match="write a note"):
        send_back(work, " ", dora)


def test_only_submitted_work_is_sent_back(dora, work):
    send_back(work, "Look again.", dora)
    with pytest.raises(ReturnError, match="only submitted work"):
        send_back(work, "Look again.", dora)


def test_an_annotator_takes_a_submission_back_and_submits_it_again(work):
    work = judge(take_back(work), WRONG, SUPPORTED)
    assert (work.state, work.independent_revision) == ("submitted", 1)
    assert rows(work) == [(0, "supported", 0), (1, "supported", 0), (0, "not_supported", 1)]
    assert list(AssignmentEvent.objects.values_list("what", "who__username")) == [
        ("taken_back", "ada"),
        ("revised", "ada"),
    ]


def other_submits(work: Assignment) -> None:
    Task.objects.filter(pk=work.task_id).update(wants=2)
    ben = make_person("ben", work.task.dataset)
    Assignment.objects.create(task=work.task, annotator=ben, place=1, state="submitted", submitted_at=timezone.now())


def labels_are_opened(work: Assignment) -> None:
    note_receipt(work.task_id, make_person("dora"), ViewReceipt.What.LABELS)


def unit_is_decided(work: Assignment) -> None:
    segment = work.task.responses.get().segments.first()
    Adjudication.objects.create(segment=segment, who=make_person("dora"), why="It reads so.")


def gold_is_stored(work: Assignment) -> None:
    add_gold(work.task.responses.get().segments.first(), "supported")


def response_is_signed(work: Assignment) -> None:
    Signature.objects.create(response=work.task.responses.get(), level="reviewer", who=make_person("dora"))


def response_is_removed(work: Assignment) -> None:
    response = work.task.responses.get()
    response.removals.create(keep=False, why="Twice.", who=make_person("dora"), revision=1)


def rebuttal_begins(work: Assignment) -> None:
    Task.objects.filter(pk=work.task_id).update(rebuttal_at=timezone.now())


def task_is_closed(work: Assignment) -> None:
    Task.objects.filter(pk=work.task_id).update(closed_at=timezone.now())


ACTS = (
    other_submits,
    labels_are_opened,
    unit_is_decided,
    gold_is_stored,
    response_is_signed,
    response_is_removed,
    rebuttal_begins,
    task_is_closed,
)


@pytest.mark.parametrize("act", ACTS, ids=[act.__name__ for act in ACTS])
def test_nothing_is_taken_back_once_somebody_has_acted_on_it(work, act):
    assert may_take_back(work)
    act(work)
    assert not may_take_back(fresh(work))
    with pytest.raises(ReturnError, match="somebody has already worked on it"):
        take_back(fresh(work))
    assert fresh(work).state == "submitted"


def test_what_others_did_before_does_not_keep_the_last_annotator_from_taking_back(work):
    other_submits(work)
    labels_are_opened(work)
    Assignment.objects.filter(pk=work.pk).update(submitted_at=timezone.now() + timedelta(seconds=1))
    assert may_take_back(fresh(work))


def test_a_hidden_control_is_taken_back_as_work_is_though_it_has_gold(work):
    gold_is_stored(work)
    before = timezone.now() - timedelta(days=1)
    Task.objects.filter(pk=work.task_id).update(kind="control", known_since=before)
    assert may_take_back(fresh(work))
    assert judge(take_back(fresh(work)), WRONG, WRONG).state == "submitted"


def test_a_qualification_is_not_taken_back_for_its_answers_are_told(work):
    Task.objects.filter(pk=work.task_id).update(kind="qualification")
    assert not may_take_back(fresh(work))


@pytest.mark.parametrize("back", ["sent", "taken"])
def test_an_annotator_may_keep_the_answers_as_submitted(work, dora, back):
    returned = send_back(work, "Look again.", dora) if back == "sent" else take_back(work)
    returned.draft = {key: WRONG.stored() for key in keys(work)}
    returned.save()
    assert keep_submission(returned, work.annotator)
    work = fresh(work)
    assert (work.state, work.draft, work.submitted_at is None) == ("submitted", {}, False)
    assert rows(work) == [(0, "supported", 0), (1, "supported", 0)]
    assert not keep_submission(work, work.annotator)


def test_returned_work_is_not_skipped(work):
    with pytest.raises(SkipError, match="already submitted this task"):
        skip(take_back(work), "Chemistry.")


def test_returned_work_of_somebody_who_leaves_stands_as_it_was_submitted(work, dora):
    send_back(work, "Look again.", dora)
    remove_member(Membership.objects.get(user=work.annotator))
    assert fresh(work).state == "submitted"


def test_a_rebuttal_opens_when_the_last_returned_work_is_kept(work, dora):
    work.task.dataset.rebuttal = True
    work.task.dataset.save()
    send_back(work, "Look again.", dora)
    other_submits(work)
    keep_submission(fresh(work), work.annotator)
    assert Task.objects.get(pk=work.task_id).rebuttal_at is not None


def client(person: User) -> Client:
    return client_of(person)


def test_the_pages_of_both_lead_through_it(work, dora):
    receipt = reverse("receipt", args=[work.task_id])
    assert reverse("send-back", args=[work.pk]) in client(dora).get(receipt).content.decode()
    answer = client(dora).post(reverse("send-back", args=[work.pk]), {"note": "Is <two> odd?"}, follow=True)
    assert "Sent back to ada." in answer.content.decode()
    assert reverse("send-back-end", args=[work.pk]) in answer.content.decode()
    html = squeezed(client(work.annotator).get(page_of(work)).content.decode())
    assert "An adjudicator sent this back: “Is &lt;two&gt; odd?”" in html
    assert "dora" not in html
    answer = client(work.annotator).post(reverse("keep-work", args=[work.key]), follow=True)
    assert "Your submitted answers stay." in answer.content.decode()


def test_the_page_of_submitted_work_offers_to_take_it_back(work):
    ada = client(work.annotator)
    assert reverse("take-back", args=[work.key]) in ada.get(page_of(work)).content.decode()
    answer = ada.post(reverse("take-back", args=[work.key]), follow=True)
    assert "You took this task back." in squeezed(answer.content.decode())
    task_is_closed(work)
    assert reverse("take-back", args=[work.key]) not in ada.get(page_of(work)).content.decode()


@pytest.mark.parametrize(("text", "found"), [("ODD", 1), ("gold", 0), ("two is", 1)])
def test_my_work_is_searched_by_text(work, text, found):
    answer = client(work.annotator).get(reverse("work", args=[work.task.dataset_id]), {"q": text})
    assert len(answer.context["page"]) == found


def test_my_work_names_new_messages_and_returned_work(work, dora):
    work.messages.create(author=dora, text="Is two odd?")
    work.messages.create(author=work.annotator, text="No.")
    send_back(work, "Look again.", dora)
    html = squeezed(client(work.annotator).get(reverse("work", args=[work.task.dataset_id])).content.decode())
    assert ("1 new message<" in html, "Returned" in html, "submit it again" in html) == (True, True, True)
