"""Saves of what changed: kept, refused when stale, alive as long as the place, cheap."""

import re
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.administration.members import remove_member
from annotate.judgements.entries import Comment, Correction, ResponseVerdict, draft_of
from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.judgements.page_keys import PageKeys
from annotate.labels.active import milliseconds
from annotate.labels.payload import for_page
from annotate.models import Assignment, Dataset, Guideline, Label, Membership, Task, User, ViewReceipt
from annotate.tasks.create import create_tasks
from annotate.tasks.places import lapse_expired
from annotate.tasks.serving import open_next
from knowledge.models import Document, KnowledgeSource, Snapshot
from tests.annotate.labels.script import card, entry, script_compares, script_saves
from tests.annotate.labels.work import (
    client_of,
    factscore_work,
    felm_work,
    keys,
    named,
    on_page,
    open_for,
    page_keys,
    page_of,
)
from tests.factories import make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def test_what_changed_is_written_over_what_was_there():
    work = felm_work()
    one, two = keys(work)
    script_saves(work, {one: entry("supported"), two: entry("not_supported")})
    answer = script_saves(work, {two: entry("not_supported", reason="Even.")}, version=1)
    assert answer.json() == {"version": 2, "active": 0, "shift": 0, "guideline": 0}
    work.refresh_from_db()
    assert draft_of(work) == {one: UnitJudgement("supported"), two: UnitJudgement("not_supported", reason="Even.")}


def test_null_takes_an_entry_back():
    work = felm_work()
    first = keys(work)[0]
    script_saves(work, {first: entry("supported")})
    script_saves(work, {first: None}, version=1)
    work.refresh_from_db()
    assert work.draft == {}


def test_a_card_is_kept_whole():
    work = felm_work()
    first = keys(work)[0]
    quoted = card("https://a.example", quote="Two is even.", stance="refutes")
    script_saves(work, {first: entry("not_supported", references=[quoted])})
    work.refresh_from_db()
    assert draft_of(work)[first].references == (CitedReference("https://a.example", "Two is even.", "refutes"),)


def test_a_document_of_another_source_cannot_be_cited():
    work = felm_work()
    source = KnowledgeSource.objects.create(name="elsewhere")
    page = Document.objects.create(source=source, key="odd", title="Odd", text="Odd.", revision=0)
    cited = {keys(work)[0]: entry("supported", references=[card(document=page.pk)])}
    assert script_saves(work, cited).status_code == 422
    work.task.dataset.knowledge_source = source
    work.task.dataset.save()
    assert script_saves(work, cited).status_code == 200


def test_no_number_of_a_snapshot_is_accepted():
    """Not even that of the very page: one guessed number of many would tell that somebody had asked for it."""
    work = felm_work()
    snapshot = Snapshot.objects.create(url="https://a.example")
    first = keys(work)[0]
    for number in (snapshot.pk, snapshot.pk + 1, None):
        guessed = {**card("https://a.example"), "snapshot": number}
        answer = script_saves(work, {first: entry("supported", references=[guessed])})
        assert answer.status_code == 422 and "does not have the fields" in answer.json()["error"]


def test_a_draft_of_the_version_before_opens_without_its_number():
    work = felm_work()
    snapshot = Snapshot.objects.create(url="https://a.example")
    first = keys(work)[0]
    old = entry("supported", references=[{**card("https://a.example", quote="Ada"), "snapshot": snapshot.pk}])
    Assignment.objects.filter(pk=work.pk).update(draft={first: old})
    work.refresh_from_db()
    page = for_page(work, PageKeys(work), draft_of(work))
    assert page["entries"][PageKeys(work).of(first)]["references"] == [card("https://a.example", quote="Ada")]
    assert script_saves(work, {"comment": {"text": "Odd task."}}).status_code == 200
    work.refresh_from_db()
    assert work.draft[first]["references"] == [card("https://a.example", quote="Ada")]


def test_comment_and_verdict_have_entries_of_their_own():
    work = felm_work()
    response = work.task.responses.get()
    others = {"comment": {"text": "Odd task."}, f"keep.{response.pk}": {"keep": False, "reason": "Spam."}}
    script_saves(work, others)
    work.refresh_from_db()
    assert draft_of(work) == {"comment": Comment("Odd task."), f"keep.{response.pk}": ResponseVerdict(False, "Spam.")}


def test_a_sentence_is_made_right_or_removed():
    work = factscore_work()
    segments = list(work.task.responses.get().segments.values_list("pk", flat=True))
    script_saves(work, {f"edit.{segments[0]}": {"text": "Ada sings."}, f"edit.{segments[1]}": {"text": ""}})
    work.refresh_from_db()
    assert list(draft_of(work).values()) == [Correction("Ada sings."), Correction("")]


def test_an_irrelevant_fact_says_in_which_way():
    work = factscore_work()
    fact = keys(work)[1]
    script_saves(work, {fact: entry("irrelevant", irrelevance="hangs_on")})
    work.refresh_from_db()
    assert draft_of(work)[fact].irrelevance == "hangs_on"


@pytest.mark.parametrize(
    ("key", "sent", "message"),
    [
        ("999999", entry("supported"), "not an address of this task"),
        ("9" * 40, entry("supported"), "not an address of this task"),
        ("edit.1", {"text": ""}, "not an address of this task"),  # FELM corrects no sentences
        ("first", {"value": "supported"}, "does not have the fields"),
        ("first", entry(reason=7), "reason of"),
        ("first", entry("maybe"), "unknown value"),
        ("first", entry("supported", irrelevance="odd"), "unknown kind of irrelevance"),
        ("first", entry("supported", references=["a"]), "does not have the fields"),
        ("first", entry("supported", references=[card()]), "neither a link nor a document"),
        ("first", entry("supported", references=[card("a", stance="odd")]), "unknown stance"),
        ("first", entry("supported", references=[card("a", document=True)]), "number that is none"),
        ("first", entry("supported", references=[card(document=10**30)]), "number that is none"),
        ("first", entry("supported", references=[card("a", snapshot=10**30)]), "does not have the fields"),
        ("first", entry(reason="a\0b"), "cannot keep"),
        ("first", entry(reason="\ud800"), "cannot keep"),
    ],
)
def test_what_breaks_a_rule_is_refused_and_nothing_is_written(key, sent, message):
    work = felm_work()
    answer = script_saves(work, {keys(work)[0] if key == "first" else key: sent})
    assert answer.status_code == 422
    assert message in answer.json()["error"]
    work.refresh_from_db()
    assert work.draft == {}


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"version": 0, "worked": []}', b'{"version": -1, "entries": {}}'])
def test_what_no_page_sent_is_refused(body):
    work = felm_work()
    address = f"{page_of(work)}save/"
    assert client_of(work.annotator).post(address, body, content_type="application/json").status_code == 422


def test_guidelines_that_do_not_exist_are_refused():
    work = felm_work()
    answer = script_saves(work, {keys(work)[0]: entry("supported")}, guideline=1)
    assert answer.status_code == 422
    assert "names guidelines that this dataset does not have" in answer.json()["error"]


def test_a_save_is_answered_with_the_newest_version_of_the_guidelines():
    work = felm_work()
    for version in (1, 2):
        Guideline.objects.create(dataset=work.task.dataset, version=version, text="Be kind.")
    assert script_saves(work, {keys(work)[0]: entry("supported")}, guideline=1).json()["guideline"] == 2


def test_a_person_who_was_removed_is_told_so():
    work = felm_work()
    remove_member(work.task.dataset.memberships.get())
    answer = script_saves(work, {keys(work)[0]: entry("supported")})
    assert answer.status_code == 409
    assert "You are no longer an annotator of this dataset" in squeezed(answer.json()["html"])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda: Membership.objects.update(role="researcher"), "Your role in this dataset does not allow this."),
        (lambda: Dataset.objects.update(archived_at=timezone.now()), "is archived"),
    ],
)
def test_who_may_save_no_more_is_told_why(change, why):
    work = felm_work()
    change()
    answer = script_saves(work, {keys(work)[0]: entry("supported")})
    assert answer.status_code == 409 and why in answer.json()["html"]


def test_the_plain_form_of_a_person_who_was_removed_comes_back_to_be_copied():
    work = felm_work()
    remove_member(work.task.dataset.memberships.get())
    form = named(work, {"version": "0", f"reason-{keys(work)[0]}": "One is <odd>.", "comment": "Odd."})
    answer = client_of(work.annotator).post(page_of(work), form)
    assert answer.status_code == 404
    assert "<li>One is &lt;odd&gt;.</li><li>Odd.</li>" in answer.text


def test_a_stale_page_is_refused():
    work = felm_work()
    one, two = keys(work)
    script_saves(work, {one: entry("supported")})
    answer = script_saves(work, {two: entry("supported")})  # at version 0 still
    assert (answer.status_code, answer.json()) == (409, {"outcome": "stale"})
    work.refresh_from_db()
    assert list(work.draft) == [one]


def test_a_save_whose_answer_was_lost_is_saved():
    work = felm_work()
    changed = {keys(work)[0]: entry("supported")}
    script_saves(work, changed)
    assert script_saves(work, changed).json()["version"] == 1


def test_both_versions_are_shown_and_what_only_this_page_has_is_chosen_first():
    work = felm_work()
    one, two = keys(work)
    script_saves(work, {one: entry("supported", reason="stored words")})
    mine = {one: entry("supported", reason="old words"), two: entry("not_supported", reason="my words")}
    answer = script_compares(work, mine, unsaved=[two]).json()
    assert (answer["version"], answer["entries"][on_page(work, one)]["reason"]) == (1, "stored words")
    for words in ("stored words", "old words", "my words"):
        assert words in answer["html"]
    html = squeezed(answer["html"])
    assert f'value="stored" data-pick="{on_page(work, one)}" checked' in html
    assert f'value="mine" data-pick="{on_page(work, two)}" checked' in html


def test_pages_that_agree_have_nothing_to_compare():
    work = felm_work()
    first = keys(work)[0]
    script_saves(work, {first: entry("irrelevant")})
    assert script_compares(work, {first: entry("irrelevant", error_type="irrelevant")}).json()["html"] == ""


def test_what_the_page_itself_stored_without_hearing_of_it_is_no_conflict():
    """Somebody wrote on after an answer was lost; where another page has stored something since, that is shown."""
    work = felm_work()
    one, two = keys(work)
    sent = {one: entry(reason="Half"), two: entry(reason="Half")}
    script_saves(work, sent)
    script_saves(work, {two: entry(reason="From elsewhere")}, version=1)
    mine = {one: entry(reason="Half a sentence"), two: entry(reason="Half a sentence")}
    answer = script_compares(work, mine, unsaved=[one, two], unanswered=[{one: entry(reason="H")}, sent]).json()
    assert answer["own"] == [on_page(work, one)]
    assert f'data-pick="{on_page(work, two)}"' in answer["html"]
    assert f'data-pick="{on_page(work, one)}"' not in answer["html"]


def test_an_older_text_that_the_page_took_back_without_an_answer_is_its_own():
    work = felm_work()
    one, _ = keys(work)
    script_saves(work, {one: entry(reason="Said")})
    script_saves(work, {one: None}, version=1)
    mine = {one: entry(reason="Said anew")}
    assert script_compares(work, mine, unsaved=[one], unanswered=[{one: None}]).json()["own"] == [on_page(work, one)]
    assert script_compares(work, mine, unsaved=[one]).json()["own"] == []


def test_a_save_renews_the_lease_and_brings_back_a_lapsed_place():
    work = felm_work()
    Assignment.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
    lapse_expired(work.task.dataset)
    assert script_saves(work, {keys(work)[0]: entry("supported")}).status_code == 200
    work.refresh_from_db()
    assert work.state == "open"
    assert work.lease_until > timezone.now()


def test_a_save_on_a_lost_place_keeps_the_text_and_says_so():
    work = felm_work()
    Assignment.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
    assert open_next(work.task.dataset, make_person("ben", work.task.dataset)).task == work.task
    answer = script_saves(work, {keys(work)[0]: entry("supported", reason="my words")})
    assert answer.status_code == 409
    assert "somebody else has it now" in answer.json()["html"]
    assert "my words" in client_of(work.annotator).get(page_of(work)).content.decode()


def test_what_is_submitted_or_settled_takes_nothing_more():
    work = felm_work()
    both = {key: entry("supported") for key in keys(work)}
    script_saves(work, both, submit=True)
    again = script_saves(work, {keys(work)[0]: entry("irrelevant")}, version=1)
    assert (again.status_code, again.json()["outcome"]) == (409, "submitted")
    Task.objects.update(closed_at=timezone.now())
    Assignment.objects.update(state="open", lease_until=timezone.now())
    assert script_saves(work, {keys(work)[0]: entry("irrelevant")}, version=1).json()["outcome"] == "closed"
    assert set(Label.objects.values_list("value", flat=True)) == {"supported"}


def test_the_last_save_submits_and_leads_to_the_next():
    dataset = make_dataset()
    make_response(dataset)
    make_response(dataset)
    ada = make_person("ada", dataset)
    create_tasks(dataset)
    work = open_next(dataset, ada)
    answer = script_saves(work, {key: entry("supported") for key in keys(work)}, submit=True)
    following = Assignment.objects.get(state="open")
    page = answer.json()
    assert page["next"] == page_of(following)
    assert page["notice"] == "Submitted. This is the next task."
    assert Label.objects.count() == 2
    html = client_of(ada).get(page["next"]).content.decode()
    assert page["html"].count("data-unit=") == 2
    assert masked(page["html"]).strip() in masked(html)


def masked(html: str) -> str:
    """Without the tokens against forged requests: each answer has another."""
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", html)


def test_the_next_task_is_on_the_receipt_once_it_is_shown_with_the_answer():
    dataset = make_dataset()
    for index in ("this", "next"):
        make_response(dataset, index=index)
    ada = make_person("ada", dataset)
    work = open_for(ada, dataset)
    script_saves(work, {key: entry("supported") for key in keys(work)}, submit=True)
    following = Assignment.objects.get(state="open")
    assert list(ViewReceipt.objects.values_list("task", "who", "what", "times")) == [
        (following.task_id, ada.pk, "task", 1)
    ]


def test_after_the_last_task_the_answer_only_says_where_to_go():
    work = felm_work()
    answer = script_saves(work, {key: entry("supported") for key in keys(work)}, submit=True)
    assert answer.json() == {"next": reverse("label-next", args=[work.task.dataset_id])}


def test_an_incomplete_submission_is_saved_and_says_what_is_open():
    work = felm_work()
    answer = script_saves(work, {keys(work)[0]: entry("supported")}, submit=True)
    assert answer.status_code == 422
    assert answer.json()["error"] == "Not submitted: 1 of 2 is still open."
    assert answer.json()["version"] == 1


def logged_in(person: User) -> Client:
    """As after a log-in, which notes whose the session is."""
    client = client_of(person)
    UserSession.objects.create(user=person, session_key=client.session.session_key, ip="127.0.0.1")
    return client


def test_a_save_asks_the_database_little(django_assert_max_num_queries):
    work = factscore_work()
    fact = keys(work)[1]
    script_saves(work, {fact: entry("supported")})
    client = logged_in(work.annotator)
    body = {"version": 1, "entries": {on_page(work, fact): entry("not_supported")}, "active": 3}
    with django_assert_max_num_queries(3):  # session with the person, place with the role; and the one that writes
        assert client.post(f"{page_of(work)}save/", body, content_type="application/json").status_code == 200


def test_a_submission_that_opens_the_next_task_asks_the_database_little(django_assert_max_num_queries):
    dataset = make_dataset()
    for index in ("this", "next"):
        make_response(dataset, index=index)
    work = open_for(make_person("ada", dataset), dataset)
    client = logged_in(work.annotator)
    body = {"version": 0, "entries": {key: entry("supported") for key in page_keys(work)}, "active": 3, "submit": True}
    with django_assert_max_num_queries(25):
        following = client.post(f"{page_of(work)}save/", body, content_type="application/json").json()
    assert following["html"]
    with django_assert_max_num_queries(8):
        assert client.get(following["next"]).status_code == 200
    with django_assert_max_num_queries(5):  # session with the person, dataset with the role, work at hand, its lease
        assert client.get(reverse("label-next", args=[dataset.pk])).status_code == 302


def test_time_worked_is_counted_by_the_clock_of_the_server():
    """The page's clock is an hour ahead; it says so with the save, and learns it from the answer."""
    work = felm_work()
    Assignment.objects.update(opened_at=timezone.now() - timedelta(seconds=90))
    clock = milliseconds(timezone.now()) + 3_600_000
    answer = script_saves(
        work, {}, worked=[[clock - 20_500, clock - 10_000], [clock - 9_000, clock]], clock=clock
    ).json()
    assert (answer["version"], answer["active"]) == (0, 19)
    assert -3_601_000 < answer["shift"] < -3_590_000
    again = script_saves(work, {}, worked=[[clock - 500_000, clock]], clock=clock).json()
    assert 90 <= again["active"] <= 96, "no more than has passed since the task was opened"


@pytest.mark.parametrize("worked", [1, [1], [[1]], [[2, 1]], [[1.0, 2]], [[-1, 2]], [[1, 2**64]], [[1, 2]] * 2001])
def test_what_is_no_time_worked_is_refused(worked):
    work = felm_work()
    answer = script_saves(work, {}, worked=worked, clock=5)
    assert answer.status_code == 422
    assert "when it was worked on" in answer.json()["error"]
