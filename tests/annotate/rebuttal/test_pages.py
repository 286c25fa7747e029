"""The rebuttal in the pages: what an annotator sees there, and what never."""

import re

import pytest
from django.utils import timezone

from annotate.judgements.judgement import UnitJudgement
from annotate.models import Assignment, Label, ReferenceLink, Task, ViewReceipt
from annotate.tasks.create import create_tasks
from tests.annotate.blindness.walk import without_chance
from tests.annotate.labels.script import entry
from tests.annotate.labels.work import on_page
from tests.annotate.links.pages import frozen
from tests.annotate.rebuttal.work import disputed_task, submit_draft
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def work(client):
    """Ada, logged in, and her disputed work."""
    ada, _ = disputed_task()
    client.force_login(ada.annotator)
    return ada


def page_of(assignment):
    return f"/assignments/{assignment.key}/rebuttal/"


def form(assignment, action, **changed):
    key = on_page(assignment, str(assignment.labels.first().segment_id))
    fields = {"value": "supported", "type": "", "reason": "I think so.", "references": ""} | changed
    named = {f"{name}-{key}": value for name, value in fields.items()}
    return {"version": assignment.draft_version, "action": action, **named}


def test_the_next_piece_of_work_is_the_rebuttal(client, work):
    answer = client.get(f"/datasets/{work.task.dataset_id}/label/")
    assert answer.headers["Location"] == page_of(work)


def test_the_page_shows_the_others_quote_and_nothing_they_said(client, work):
    before = {query: without_chance(client.get(page_of(work) + query).content) for query in ("", "?plain")}
    for page in before.values():
        assert b"Two is even." in page and b"https://numbers.example" in page and b"I think so." in page
        assert b"benedict" not in page and b"Look there." not in page
    Label.objects.exclude(assignment=work).update(value="irrelevant", error_type="irrelevant", reason="", flagged=True)
    ReferenceLink.objects.filter(label__assignment__task=work.task).update(stance="supports")
    assert {query: without_chance(client.get(page_of(work) + query).content) for query in before} == before


def frozen_page(work):
    """The page that Ben cites, frozen."""
    page = frozen("https://numbers.example")
    ReferenceLink.objects.filter(label__assignment__task=work.task).update(snapshot=page)
    return page


def address_of_page(client, work):
    """As the evidence links to it."""
    found = re.search(rf'href="({page_of(work)}pages/[0-9a-f]+/)"', client.get(page_of(work)).content.decode())
    assert found
    return found[1]


def test_a_page_that_was_frozen_opens_from_the_evidence(client, work):
    page = frozen_page(work)
    answer = client.get(address_of_page(client, work))
    html = answer.content.decode()
    assert answer.status_code == 200
    assert page.text.split(".")[0] in html and "benedict" not in html
    assert "/snapshots/" not in html and str(timezone.now().year) not in html


def test_no_number_of_a_snapshot_opens_it(client, work):
    page = frozen_page(work)
    assert f"/snapshots/{page.pk}/" not in client.get(page_of(work)).content.decode()
    assert client.get(f"/snapshots/{page.pk}/").status_code == 404
    assert client.get(f"{page_of(work)}pages/{page.pk}/").status_code == 404


@pytest.mark.parametrize("change", [{"rebuttal_at": None}, {"closed_at": timezone.now()}])
def test_a_page_that_others_cite_opens_only_while_the_rebuttal_waits(client, work, change):
    frozen_page(work)
    address = address_of_page(client, work)
    Task.objects.update(**change)
    assert client.get(address).status_code == 404


def test_a_page_that_others_cite_opens_for_nobody_who_has_no_answer_to_give(client, work):
    frozen_page(work)
    address = address_of_page(client, work)
    Assignment.objects.filter(pk=work.pk).update(rebutted_at=timezone.now())
    assert client.get(address).status_code == 404
    client.force_login(make_person("cleo", work.task.dataset))
    assert client.get(address).status_code == 404


def test_a_page_frozen_twice_is_one_card(client, work):
    frozen_page(work)
    twice = ReferenceLink.objects.get(label__assignment__task=work.task)
    cleo = Assignment.objects.create(
        task=work.task, annotator=make_person("cleo"), place=2, state="submitted", submitted_at=timezone.now()
    )
    label = Label.objects.create(assignment=cleo, segment=twice.label.segment, value="supported")
    label.references.create(position=0, url=twice.url, quote=twice.quote, snapshot=frozen("https://numbers.example"))
    assert client.get(page_of(work)).content.decode().count("Saved copy of the page") == 1


def test_seeing_the_evidence_is_noted(client, work):
    client.get(page_of(work))
    assert ViewReceipt.objects.filter(who=work.annotator, what="evidence").count() == 1


def test_nobody_sees_evidence_before_the_rebuttal_opens(client, work):
    Task.objects.update(rebuttal_at=None)
    for answer in (client.get(page_of(work)), client.post(page_of(work), form(work, "save"))):
        assert answer.status_code == 404


def test_a_revision_is_written_and_the_page_is_over(client, work):
    client.post(page_of(work), form(work, "submit", value="not_supported", type="knowledge", reason="I see."))
    label = Label.objects.in_force().get(assignment=work)
    assert (label.revision, label.value, label.reason) == (1, "not_supported", "I see.")
    assert client.get(page_of(work)).headers["Location"] == f"/assignments/{work.key}/"


def test_letting_it_stand_writes_nothing(client, work):
    client.post(page_of(work), form(work, "keep", value="not_supported"))
    assert Label.objects.filter(assignment=work).count() == 1
    work.refresh_from_db()
    assert work.rebutted_at is not None


def test_a_stale_page_is_refused_and_keeps_what_was_written(client, work):
    client.post(page_of(work), form(work, "save", reason="From another tab."))
    answer = client.post(page_of(work), form(work, "save", reason="From this tab."))
    assert answer.status_code == 409
    assert "From this tab." in answer.content.decode()
    work.refresh_from_db()
    # What the page says now can be kept: it has learnt the version.
    assert client.post(page_of(work), form(work, "save", reason="From this tab.")).status_code == 302


def test_who_answers_after_the_end_is_told_and_keeps_the_text(client, work):
    dora = make_person("dora", work.task.dataset, "adjudicator")
    client.force_login(dora)
    page = client.get(f"/datasets/{work.task.dataset_id}/rebuttals/").content.decode()
    assert "ada" in page and "benedict" in page
    client.post(f"/tasks/{work.task_id}/rebuttal/end/")
    client.force_login(work.annotator)
    answer = client.post(page_of(work), form(work, "submit", reason="Too late."))
    assert (answer.status_code, "Too late." in answer.content.decode()) == (409, True)
    assert Label.objects.filter(assignment=work).count() == 1


def test_the_number_of_queries_does_not_grow_with_what_is_shown(client, work, django_assert_max_num_queries):
    with django_assert_max_num_queries(22):
        client.get(page_of(work))


def keep_all(client, work, many):
    return client.post(f"/datasets/{work.task.dataset_id}/rebuttals/keep/", {"many": many})


def test_all_that_wait_are_answered_at_once(client, work):
    assert "Keep my answers in 1" in client.get(f"/datasets/{work.task.dataset_id}/my-work/").content.decode()
    keep_all(client, work, 1)
    work.refresh_from_db()
    assert work.rebutted_at is not None
    assert Label.objects.filter(assignment=work).count() == 1


def test_another_number_than_was_shown_answers_none(client, work):
    keep_all(client, work, 2)
    work.refresh_from_db()
    assert work.rebutted_at is None


def test_a_revision_that_was_begun_is_left_out(client, work):
    client.post(page_of(work), form(work, "save", reason="Half a thought"))
    keep_all(client, work, 0)
    work.refresh_from_db()
    assert work.rebutted_at is None and work.draft


def two_segments():
    """Ada's work on a task of two segments, on the second of which alone she and Ben differ."""
    dataset = make_dataset()
    dataset.rebuttal = True
    dataset.save()
    first, second = make_response(dataset, ["One is odd.", "Two is odd."]).segments.all()
    create_tasks(dataset)
    Task.objects.update(wants=2)
    same = {str(first.pk): UnitJudgement("supported")}
    ada = submit_draft(dataset, "ada", {**same, str(second.pk): UnitJudgement("supported")})
    submit_draft(dataset, "ben", {**same, str(second.pk): UnitJudgement("irrelevant", "irrelevant")})
    ada.refresh_from_db()
    return ada, on_page(ada, str(first.pk)), on_page(ada, str(second.pk))


@pytest.mark.parametrize("query", ["", "?plain"])
def test_only_what_differs_can_be_judged(client, query):
    ada, same, differing = two_segments()
    client.force_login(ada.annotator)
    page = client.get(page_of(ada) + query).content.decode()
    assert f'id="unit-{differing}"' in page and f'id="unit-{same}"' not in page
    assert "One is odd." in page and "differ in 1 of 2" in page


def save(client, work, key, **more):
    body = {"version": work.draft_version, "entries": {key: entry("not_supported")}, "worked": [], **more}
    return client.post(f"{page_of(work)}save/", body, content_type="application/json")


def test_a_judgement_where_nothing_differs_is_refused(client):
    ada, same, _ = two_segments()
    client.force_login(ada.annotator)
    assert "is not an address" in save(client, ada, same).json()["error"]
    client.post(page_of(ada), {"version": 0, "action": "save", f"value-{same}": "not_supported"})
    assert {label.value for label in ada.labels.in_force()} == {"supported"}


def test_a_revision_by_the_script_changes_what_differs_alone(client):
    ada, _, differing = two_segments()
    client.force_login(ada.annotator)
    assert "next" in save(client, ada, differing, submit=True).json()
    assert [label.value for label in ada.labels.in_force().order_by("segment")] == ["supported", "not_supported"]


def test_answers_are_kept_by_the_script(client):
    ada, _, differing = two_segments()
    client.force_login(ada.annotator)
    assert "next" in save(client, ada, differing, submit=True, keep=True).json()
    ada.refresh_from_db()
    assert ada.rebutted_at is not None and ada.labels.count() == 2


def test_a_save_without_a_change_begins_no_revision(client):
    ada, _, _ = two_segments()
    client.force_login(ada.annotator)
    assert save(client, ada, "", entries={}).json() == {"version": ada.draft_version, "active": 0, "guideline": 0}
    ada.refresh_from_db()
    assert ada.draft == {}


def test_a_stale_save_by_the_script_overwrites_nothing(client):
    ada, _, differing = two_segments()
    client.force_login(ada.annotator)
    save(client, ada, differing)
    stale = save(client, ada, differing, entries={differing: entry("irrelevant", error_type="irrelevant")})
    assert (stale.status_code, stale.json()["outcome"]) == (409, "stale")
