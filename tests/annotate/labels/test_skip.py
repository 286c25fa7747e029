"""A task is skipped with a reason, and taken up again while there is room."""

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.labels.skip import SkipError, skip, take_up
from annotate.models import Assignment, Task
from annotate.tasks.places import open_assignment
from annotate.tasks.serving import open_next
from tests.annotate.labels.script import entry, script_saves
from tests.annotate.labels.work import client_of, felm_work, keys, page_of
from tests.annotate.qualification.work import known_task
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


def test_skipping_frees_the_place_and_keeps_the_text():
    work = felm_work()
    script_saves(work, {keys(work)[0]: entry("supported"), "comment": {"text": "I know the author."}})
    skipped = skip(work, " Not my field. ")
    assert (skipped.state, skipped.skip_reason, skipped.comment) == ("skipped", "Not my field.", "I know the author.")
    assert keys(work)[0] in skipped.draft
    assert open_next(work.task.dataset, make_person("ben", work.task.dataset)).task == work.task
    assert open_next(work.task.dataset, work.annotator) is None  # nobody gets a task again that they skipped


def test_a_reason_is_required():
    work = felm_work()
    with pytest.raises(SkipError, match="Enter a reason"):
        skip(work, "  ")
    work.refresh_from_db()
    assert work.state == "open"


def test_opening_a_skipped_task_does_not_take_it_up():
    assert open_assignment(skip(felm_work(), "Not my field.")).state == "skipped"


def test_it_is_taken_up_again_while_a_place_is_free():
    work = take_up(skip(felm_work(), "Not my field."))
    assert (work.state, work.skip_reason) == ("open", "")


def test_it_stays_skipped_once_somebody_else_has_the_place():
    work = skip(felm_work(), "Not my field.")
    open_next(work.task.dataset, make_person("ben", work.task.dataset))
    assert take_up(work).state == "skipped"


def test_taking_up_what_is_in_work_asks_for_no_place():
    dataset = make_dataset()
    dataset.qualification_pass = 0.5
    known_task(dataset, "qualification")
    work = open_next(dataset, make_person("ada", dataset))
    assert take_up(work).state == "open"
    assert Task.objects.get().wants == 1


def test_taking_up_a_closed_task_asks_for_no_place():
    dataset = make_dataset()
    dataset.qualification_pass = 0.5
    known_task(dataset, "qualification")
    work = skip(open_next(dataset, make_person("ada", dataset)), "Not my field.")
    open_next(dataset, make_person("ben", dataset))
    Task.objects.update(closed_at=timezone.now())
    assert take_up(work).state == "skipped"
    assert Task.objects.get().wants == 1


def test_on_the_pages():
    work = felm_work()
    client = client_of(work.annotator)
    left = client.post(reverse("skip", args=[work.key]), {"reason": "Not my field."}, follow=True).content.decode()
    assert f'<a href="{page_of(work)}">Reopen</a>' in left
    html = client.get(page_of(work)).content.decode()
    assert "Not my field." in html
    assert reverse("take-up", args=[work.key]) in html
    client.post(reverse("take-up", args=[work.key]))
    assert Assignment.objects.get().state == "open"


def test_a_save_on_a_skipped_task_keeps_the_text_but_not_the_place():
    work = felm_work()
    skip(work, "Not my field.")
    answer = script_saves(work, {keys(work)[0]: entry("supported")})
    assert (answer.status_code, answer.json()["outcome"]) == (409, "lost")
    work.refresh_from_db()
    assert (work.state, list(work.draft)) == ("skipped", [keys(work)[0]])


def test_the_script_is_told_what_was_wrong_or_where_to_go_on():
    work = felm_work()
    client, as_script = client_of(work.annotator), {"headers": {"accept": "application/json"}}
    refused = client.post(reverse("skip", args=[work.key]), {"reason": " "}, **as_script)
    assert (refused.status_code, refused.json()) == (
        422,
        {"error": "Not skipped: Enter a reason for the adjudicator."},
    )
    done = client.post(reverse("skip", args=[work.key]), {"reason": "Not my field."}, **as_script)
    assert done.json() == {"next": reverse("label-next", args=[work.task.dataset_id])}


def test_a_refused_save_offers_to_take_it_up_again_from_there():
    """The form that is shown has a token of its own."""
    work = felm_work()
    skip(work, "Not my field.")
    answer = script_saves(work, {keys(work)[0]: entry("supported")})
    assert 'name="csrfmiddlewaretoken" value="' in answer.json()["html"]
