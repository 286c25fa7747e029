"""An annotator who did not pass takes the qualification again, with responses whose answers they have not seen."""

import pytest
from django.urls import reverse

from annotate.models import Dataset, Role, Task
from annotate.qualification.grant import GrantError, allow_retake
from annotate.qualification.status import may_work, qualification_status_of
from annotate.tasks.serving import open_next
from tests.annotate.qualification.work import RIGHT, answer, known_task, work_task
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db
WRONG = ("supported", "supported")


@pytest.fixture
def dataset() -> Dataset:
    dataset = make_dataset()
    dataset.qualification_pass = 0.75
    dataset.save()
    work_task(dataset)
    return dataset


@pytest.fixture
def failed(dataset):
    """Ada's membership, after she judged one of two units of the only task wrongly."""
    ada = make_person("ada", dataset)
    known_task(dataset, "qualification")
    answer(open_next(dataset, ada), WRONG)
    return dataset.memberships.get(user=ada)


@pytest.fixture
def dora(dataset):
    return make_person("dora", dataset, Role.ADJUDICATOR)


def test_who_retakes_it_gets_other_responses_and_only_these_count(dataset, failed, dora):
    other = known_task(dataset, "qualification")
    allow_retake(failed, dora)
    again = open_next(dataset, failed.user)
    assert again.task == other
    answer(again, RIGHT)
    standing = qualification_status_of(dataset, failed.user)
    assert (standing.tasks, standing.right, standing.units) == (1, 2, 2)
    assert open_next(dataset, failed.user).task.kind == "work"


def test_it_can_be_failed_again(dataset, failed, dora):
    known_task(dataset, "qualification")
    allow_retake(failed, dora)
    answer(open_next(dataset, failed.user), WRONG)
    assert open_next(dataset, failed.user) is None
    assert qualification_status_of(dataset, failed.user).finished


def test_responses_whose_answers_were_seen_are_not_enough(dataset, failed, dora):
    with pytest.raises(GrantError, match="ada has seen these answers"):
        allow_retake(failed, dora)
    assert not dataset.retakes.exists()


def test_nobody_works_because_the_tasks_of_a_retake_became_work(dataset, failed, dora):
    other = known_task(dataset, "qualification")
    allow_retake(failed, dora)
    Task.objects.filter(pk=other.pk).update(kind="work", known_since=None)
    assert not may_work(dataset, failed.user)


def test_only_who_has_tried_and_not_passed_can_retake_it(dataset, dora):
    make_person("ben", dataset)
    known_task(dataset, "qualification")
    with pytest.raises(GrantError, match="ben has no completed qualification"):
        allow_retake(dataset.memberships.get(user__username="ben"), dora)


def test_both_learn_what_follows_from_failing(client, dataset, failed, dora):
    client.force_login(failed.user)
    page = client.get(reverse("qualification", args=[dataset.pk])).content.decode()
    assert "You cannot start real work yet." in page
    assert "let you take it again with other responses" in page
    client.force_login(dora)
    page = client.get(reverse("quality", args=[dataset.pk])).content.decode()
    assert "No real work is served to them before they pass or you approve them." in page
    known_task(dataset, "qualification")
    page = client.post(reverse("qualification-retake", args=[failed.pk]), follow=True).content.decode()
    assert "ada takes the qualification again, with other responses." in page
