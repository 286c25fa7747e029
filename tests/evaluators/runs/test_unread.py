"""Units without a verdict: why, and what a run does about them."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.models import Role
from evaluators.models import Run
from evaluators.runs.create import create_run
from evaluators.runs.progress import progress_of
from evaluators.runs.run_job import RunJob
from evaluators.runs.unread import unread_of
from jobs.work import work_on
from tests.factories import make_person
from tests.pages import squeezed


@pytest.fixture
def page(lab, client):
    """The text of a run's page, as a researcher sees it."""
    client.force_login(make_person("rhea", lab, Role.RESEARCHER))
    return lambda run: squeezed(client.get(reverse("run", args=[run.pk])).text)


def judged(lab, method="felm-segment"):
    run = create_run(lab, method, model="m").run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    return run


@pytest.mark.parametrize(
    ("finish_reason", "why", "to_do"),
    [
        ("length", "6 cut off at the longest answer", "Raise the longest answer"),
        ("content_filter", "6 refused", "ask another model"),
        ("stop", "6 not parsed", "Look at the answers"),
    ],
)
def test_a_run_of_which_nothing_can_be_read_fails_with_the_reason(lab, model, finish_reason, why, to_do):
    model.control(answer="I would rather not say.", finish_reason=finish_reason)
    run = judged(lab)
    assert run.state == Run.State.FAILED
    assert run.error.startswith(f"Nothing could be read: 6 of 6 units have no verdict: {why}.")
    # Nothing is read from a refused answer.
    assert ("'I would rather not say.' (6)" in run.error) == (finish_reason != "content_filter")
    assert to_do in run.error


def test_the_command_fails_too(lab, model):
    model.control(answer="", finish_reason="length")
    with pytest.raises(CommandError, match="failed: Nothing could be read: 6 of 6 units") as failure:
        call_command("evaluate", "lab", "felm-segment", "--model", "m", "--wait", stdout=StringIO(), stderr=StringIO())
    assert failure.value.returncode == 1


def make_unread(run, count):
    unread = run.predictions.filter(pk__in=run.predictions.values_list("pk")[:count])
    unread.update(value=None, unparsed=True, rationale="Who  knows?")


@pytest.mark.parametrize(("count", "is_many"), [(0, False), (1, True), (6, True)])
def test_more_than_a_tenth_is_many(lab, model, count, is_many):
    model.control(answer="ALL_CORRECT")
    run = judged(lab)
    make_unread(run, count)
    unread = unread_of(run, progress_of(run))
    assert (unread.units, unread.count, unread.is_many) == (6, count, is_many)
    assert unread.answers == ((("Who knows?", count),) if count else ())


def test_the_page_says_at_its_head_what_could_not_be_read(lab, model, page):
    model.control(answer="ALL_CORRECT")
    run = judged(lab)
    assert 'id="unread"' not in page(run)
    make_unread(run, 2)
    text = page(run)
    assert "2 of 6 units have no verdict:" in text
    assert "2 not parsed" in text
    assert "Who knows?" in text
    assert text.index('id="unread"') < text.index('id="progress"')


def test_the_command_says_it_where_many_could_not_be_read(lab, model):
    model.control(answer="ALL_CORRECT")
    words = ["evaluate", "lab", "felm-segment", "--model", "m", "--wait"]
    call_command(*words, stdout=StringIO())
    make_unread(Run.objects.get(), 2)
    errors = StringIO()
    call_command(*words, stdout=StringIO(), stderr=errors)
    assert "2 of 6 units have no verdict: 2 not parsed. The commonest answers: 'Who knows?' (2)." in errors.getvalue()
