"""A labelled response cut anew: labels that fit stay, their annotators are asked for the others."""

import pytest
from django.urls import reverse

from annotate.adjudication.decide import DecisionError
from annotate.adjudication.recut import plan, recut
from annotate.judgements.judgement import UnitJudgement
from annotate.labels.submit import submit
from annotate.models import Assignment, Label, Response, Role, UnitMark, User
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.labels.work import client_of
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

# "One is odd. Two is even. Six is odd." with cuts at 0-11, 12-24, 25-36.
PARTS = ("One is odd.", "Two is even.", "Six is odd.")
ONE, TWO, SIX = (0, 11), (12, 24), (25, 36)


@pytest.fixture
def response() -> Response:
    """Ada finds all supported, Ben the last not. Ada marks the first."""
    dataset = make_dataset()
    response = make_response(dataset, PARTS)
    for segment, (start, end) in zip(response.segments.all(), (ONE, TWO, SIX), strict=True):
        assert response.text[start:end] == segment.text
    one, two, six = response.segments.all()
    task = make_task(response)
    ada = judge(task, make_person("ada", dataset), dict.fromkeys((one, two, six), "supported"))
    judge(task, make_person("ben", dataset), {one: "supported", two: "supported", six: "not_supported/reasoning/Even."})
    UnitMark.objects.create(assignment=ada, segment=one, kind="cut")
    UnitMark.objects.create(assignment=ada, segment=two, kind="no_claim")
    return Response.objects.select_related("dataset", "task").get(pk=response.pk)


@pytest.fixture
def dora(response: Response) -> User:
    return make_person("dora", response.dataset, Role.ADJUDICATOR)


def done(response: Response, dora: User, *spans: tuple[int, int]) -> Response:
    return recut(response, spans, dora, "Better so.", plan(response, spans).word)


def labels_of(response: Response) -> list[tuple[str, int, str]]:
    labels = Label.objects.filter(segment__response=response).order_by("segment__position", "assignment")
    return list(labels.values_list("assignment__annotator__username", "segment__position", "value"))


def states() -> list[str]:
    return list(Assignment.objects.order_by("annotator__username").values_list("state", flat=True))


def test_merged_segments_with_the_same_label_keep_it(response, dora):
    copy = done(response, dora, (0, 24), SIX)
    assert [each.text for each in copy.segments.all()] == ["One is odd. Two is even.", "Six is odd."]
    assert labels_of(copy) == [
        ("ada", 0, "supported"),
        ("ben", 0, "supported"),
        ("ada", 1, "supported"),
        ("ben", 1, "not_supported"),
    ]
    assert states() == ["submitted", "submitted"]
    assert Label.objects.get(segment__response=copy, value="not_supported").references.count() == 1


def test_merged_segments_with_different_labels_are_asked_again(response, dora):
    copy = done(response, dora, ONE, (12, 36))  # Ben: supported and not supported
    assert [row for row in labels_of(copy) if row[1] == 1] == [("ada", 1, "supported")]
    assert states() == ["submitted", "open"]


def test_split_and_moved_cuts_ask_everybody_again(response, dora):
    planned = plan(response, [(0, 3), (4, 11), TWO, SIX])
    assert [(len(each.kept), each.asked) for each in planned.segments] == [(0, 2), (0, 2), (2, 0), (2, 0)]
    copy = done(response, dora, (0, 15), (16, 24), SIX)  # the cut is moved: One is odd. Two | is even.
    assert labels_of(copy) == [("ada", 2, "supported"), ("ben", 2, "not_supported")]
    assert states() == ["open", "open"]


def test_nothing_of_the_earlier_response_is_changed(response, dora):
    before = labels_of(response)
    done(response, dora, (0, 24), SIX)
    response.refresh_from_db()
    assert labels_of(response) == before
    assert response.removed_at is not None
    assert response.task.closed_at is None


def test_marks_of_the_cut_are_mended_and_others_go_along(response, dora):
    copy = done(response, dora, (0, 3), (4, 11), TWO, SIX)
    marks = UnitMark.objects.order_by("pk").values_list("kind", "state", "segment__response")
    assert list(marks) == [
        ("cut", "mended", response.pk),
        ("no_claim", "open", response.pk),  # hidden with its response
        ("no_claim", "open", copy.pk),
    ]


def test_gold_is_never_overwritten(response, dora):
    add_gold(response.segments.first(), "supported")
    with pytest.raises(DecisionError, match="gold is settled in the response"):
        plan(response, [(0, 24), SIX])


def test_what_was_shown_must_still_hold(response, dora):
    with pytest.raises(DecisionError, match="labels were changed in the meantime"):
        recut(response, [(0, 24), SIX], dora, "Better so.", "0")
    with pytest.raises(DecisionError, match="the cuts are as before"):
        plan(response, [ONE, TWO, SIX])
    assert Response.objects.count() == 1


def test_returned_work_is_completed_and_earlier_labels_stay(response, dora):
    copy = done(response, dora, ONE, (12, 36))
    before = labels_of(response)
    ben = Assignment.objects.select_related("task__dataset").get(annotator__username="ben")
    merged = copy.segments.get(position=1)
    ben.draft[str(merged.pk)] = UnitJudgement("not_supported", "reasoning", "Even.").stored()
    ben.save()
    submit(ben)
    assert ("ben", 1, "not_supported") in labels_of(copy)
    assert labels_of(response) == before
    assert states() == ["submitted", "submitted"]


def test_the_page_shows_what_stays_before_it_cuts(response, dora):
    client, mark = client_of(dora), UnitMark.objects.get(kind="cut")
    address = reverse("mark-mend", args=[mark.pk])
    assert "Two is even." in client.get(address).content.decode()
    shown = client.post(address, {"spans": "[[0, 24], [25, 36]]"})
    assert Response.objects.count() == 1
    returned = "Submitted tasks that go back to their annotators for the other labels: 0."
    assert returned in squeezed(shown.content.decode())
    sent = {"spans": "[[0, 24], [25, 36]]", "seen": shown.context["planned"].word, "reason": "They are one."}
    assert client.post(address, sent | {"reason": ""}).status_code == 422
    assert client.post(address, sent).status_code == 302
    assert Response.objects.visible().get().segments.count() == 2
    settled = client.get(reverse("marks", args=[response.dataset_id]), {"show": "settled"})
    assert "They are one." in squeezed(settled.content.decode())
