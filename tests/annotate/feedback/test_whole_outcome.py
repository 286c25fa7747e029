"""One's own corrections and wishes to remove, beside what was settled."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.adjudication.unanimous import accept_unanimous
from annotate.adjudication.whole import settle_edit, settle_removal
from annotate.feedback.whole_outcome import edit_outcomes, removal_outcomes
from annotate.models import Assignment, Edit, Response, ResponseLabel, User
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora() -> User:
    return make_person("dora")


@pytest.fixture
def work(dora: User) -> tuple[Assignment, Assignment]:
    """Ada corrects the first of two sentences and would keep the response, Ben corrects the second and would not."""
    dataset = make_dataset()
    response = make_response(dataset, ("One is even.", "Two is odd."))
    task = make_task(response)
    one, two = response.segments.all()
    own = []
    for name, segment, text, reason in (("ada", one, "One is odd.", ""), ("ben", two, "A word of Ben.", "A wish.")):
        assignment = judge(task, make_person(name, dataset), {one: "not_supported", two: "not_supported"})
        Edit.objects.create(assignment=assignment, segment=segment, text=text)
        ResponseLabel.objects.create(assignment=assignment, response=response, keep=not reason, reason=reason)
        own.append(assignment)
    accept_unanimous(dataset, dora, "Both say so.")
    settle_edit(one.pk, dora, "One is odd.", "As Ada has it.")
    settle_edit(two.pk, dora, "", "Not worth a word.")
    settle_removal(Response.objects.get(), dora, keep=False, why="It asks for nothing.")
    return own[0], own[1]


def test_corrections_stand_beside_the_settled_ones(work):
    ada, ben = work
    assert [(each.own, each.gold, each.differs) for each in edit_outcomes(ada)] == [
        ("One is odd.", "One is odd.", False),
        ("Two is odd.", "", True),
    ]
    assert [(each.own, each.gold) for each in edit_outcomes(ben)] == [
        ("One is even.", "One is odd."),
        ("A word of Ben.", ""),
    ]


def test_keeping_and_removing_stand_beside_what_was_settled(work):
    (of_ada,), (of_ben,) = (removal_outcomes(each) for each in work)
    assert (of_ada.differs, of_ben.differs) == (True, False)
    assert of_ada.settled is not None and of_ada.settled.why == "It asks for nothing."


def test_the_page_shows_ones_own_and_nobody_elses(client: Client, work):
    ada, _ = work
    ada.task.refresh_from_db()
    client.force_login(ada.annotator)
    page = client.get(reverse("outcome", args=[ada.key])).text
    assert "<del> even.</del> <ins> odd.</ins>" in page
    assert "Not worth a word." in page and "removed from the dataset" in page
    assert "A word of Ben." not in page and "A wish." not in page
