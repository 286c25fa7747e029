"""The annotator's pages through the whole stack: what they show, save, refuse and hide."""

from datetime import timedelta
from time import process_time

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.judgements.entries import draft_of
from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.models import Assignment, Dataset, Label, ReferenceLink, Response, Segment, Task, User, ViewReceipt
from annotate.people.receipts import note_receipt
from annotate.tasks.assign import assign
from annotate.tasks.places import give_back, open_assignment
from annotate.tasks.serving import open_next
from tests.annotate.adjudication.work import make_task
from tests.annotate.labels.script import entry, script_compares, script_saves
from tests.annotate.labels.work import client_of, factscore_work, felm_work, keys, named, on_page, page_of
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def form_of(work: Assignment, *values: str, version: int = 0, **more: str) -> dict[str, str]:
    """The workbench's form with these values of the first units."""
    judged = {f"value-{key}": value for key, value in zip(keys(work), values, strict=False)}
    return named(work, {"version": str(version), **judged, **more})


def test_label_next_leads_to_the_workbench():
    work = felm_work()
    answer = client_of(work.annotator).get(reverse("label-next", args=[work.task.dataset_id]), follow=True)
    assert answer.redirect_chain == [(page_of(work), 302)]
    assert b"Two is odd." in answer.content


@pytest.mark.parametrize(("wanted", "message"), [(0, "No tasks yet"), (1, "No tasks for you now")])
def test_label_next_says_what_is_left(wanted, message):
    dataset = make_dataset()
    make_response(dataset)
    if wanted:
        make_person("ada", dataset)
        assign(dataset, ["ada"], overlap=0, seed=7)
    ben = make_person("ben", dataset)
    answer = client_of(ben).get(reverse("label-next", args=[dataset.pk]))
    assert message in answer.content.decode()


def test_every_field_is_kept_and_shown_again():
    work = felm_work()
    first = keys(work)[0]
    more = {
        f"type-{first}": "knowledge",
        f"reason-{first}": "Not <b>odd</b>.\r\nEven.",
        f"references-{first}": "a\r\n\r\nb ",
    }
    client_of(work.annotator).post(page_of(work), form_of(work, "not_supported", **more, action="save"))
    work.refresh_from_db()
    assert draft_of(work)[first] == UnitJudgement(
        "not_supported", "knowledge", "Not <b>odd</b>.\nEven.", (CitedReference("a"), CitedReference("b"))
    )
    for page in (page_of(work), f"{page_of(work)}?plain"):
        html = client_of(work.annotator).get(page).content.decode()
        assert "odd" in html
        assert "<b>odd</b>" not in html


def test_a_type_left_over_from_an_error_is_dropped():
    work = felm_work()
    first = keys(work)[0]
    client_of(work.annotator).post(page_of(work), form_of(work, "supported", **{f"type-{first}": "knowledge"}))
    work.refresh_from_db()
    assert draft_of(work)[first] == UnitJudgement("supported")


def test_a_stale_form_is_refused_and_keeps_what_was_written():
    work = felm_work()
    first = keys(work)[0]
    client = client_of(work.annotator)
    client.post(page_of(work), form_of(work, "supported"))
    answer = client.post(page_of(work), form_of(work, "not_supported", **{f"reason-{first}": "my words"}))
    html = answer.content.decode()
    assert answer.status_code == 409
    assert f'name="reason-{on_page(work, first)}" rows="2" maxlength="10000">my words</textarea>' in html
    assert '<input type="hidden" name="version" value="1">' in html  # saving again keeps this page's


def test_what_ran_out_is_told_from_what_an_adjudicator_gave_back():
    dataset = make_dataset()
    ada, ben = make_person("ada", dataset), make_person("ben")
    for lease in (None, None, timezone.now()):
        task = make_task(make_response(dataset), wants=1)
        Assignment.objects.create(task=task, annotator=ada, place=0, state="lapsed", lease_until=lease)
        Assignment.objects.create(task=task, annotator=ben, place=0)
    html = squeezed(client_of(ada).get(reverse("label-next", args=[dataset.pk])).text)
    assert "1 of your tasks expired. If nobody else has it, you can reopen it" in html
    assert "An adjudicator unassigned 2 of your tasks. They are listed" in html


def test_submitting_leads_to_the_next():
    dataset = make_dataset()
    make_response(dataset)
    make_response(dataset)
    ada = make_person("ada", dataset)
    assign(dataset, ["ada"], overlap=0, seed=7)
    client = client_of(ada)
    client.get(reverse("label-next", args=[dataset.pk]))
    work = Assignment.objects.get(state="open")
    answer = client.post(page_of(work), form_of(work, "supported", "supported", action="submit"), follow=True)
    second = Assignment.objects.get(state="open")
    assert answer.redirect_chain[-1] == (page_of(second), 302)
    assert b"Submitted." in answer.content
    assert Label.objects.count() == 2


def test_an_incomplete_submission_is_saved_and_says_what_is_open():
    work = felm_work()
    answer = client_of(work.annotator).post(page_of(work), form_of(work, "supported", action="submit"))
    assert answer.status_code == 422
    assert "1 of 2 is still open" in answer.content.decode()
    work.refresh_from_db()
    assert (work.state, len(work.draft)) == ("open", 1)


def test_submitted_work_is_there_to_read():
    work = felm_work()
    client = client_of(work.annotator)
    client.post(page_of(work), form_of(work, "supported", "irrelevant", action="submit"))
    note_receipt(work.task_id, make_person("dora"), ViewReceipt.What.LABELS)
    html = client.get(page_of(work)).content.decode()
    assert "Submitted labels do not change" in html
    assert "E Error" not in html
    assert "I Irrelevant" in html
    assert "<textarea" not in html


def test_a_place_given_back_says_who_did_it():
    work = felm_work()
    give_back(work)
    assert "adjudicator unassigned you" in client_of(work.annotator).get(page_of(work)).content.decode()


def test_a_form_that_was_refused_is_still_of_the_version_it_had_seen():
    """What another page has saved meanwhile is shown beside it, not overwritten."""
    work = felm_work()
    client = client_of(work.annotator)
    client.post(page_of(work), form_of(work, "supported"))
    refused = client.post(page_of(work), form_of(work, "maybe"))
    assert refused.status_code == 422
    assert '<input type="hidden" name="version" value="0">' in refused.content.decode()
    assert client.post(page_of(work), form_of(work, "irrelevant")).status_code == 409


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"version": "x"}, "which version"),
        ({"version": ""}, "which version"),
        ({"version": "0", "value": "maybe"}, "unknown value"),
        ({"version": "0", "type": "typo"}, "unknown error type"),
        ({"version": "0", "reason": "a" * 10_001}, "longer than 10,000 characters"),
    ],
)
def test_a_form_that_no_page_sent_is_refused_without_harm(form, message):
    work = felm_work()
    key = keys(work)[0]
    posted = {name if name == "version" else f"{name}-{key}": value for name, value in form.items()}
    answer = client_of(work.annotator).post(page_of(work), named(work, posted))
    assert answer.status_code == 422
    assert message in answer.content.decode()
    work.refresh_from_db()
    assert work.draft == {}


def test_factscore_shows_facts_under_their_sentences():
    work = factscore_work()
    html = client_of(work.annotator).get(page_of(work)).content.decode()
    assert html.index("Ada sings and dances.") < html.index("Ada dances.") < html.index("She is old.")
    assert "Type of error" not in html


def test_who_wrote_a_response_is_not_said():
    work = factscore_work()
    Response.objects.update(subject="ChatGPT")
    assert "ChatGPT" not in client_of(work.annotator).get(page_of(work)).content.decode()


def test_pages_ask_the_database_a_few_times_however_much_they_show(django_assert_max_num_queries):
    dataset = make_dataset()
    for _ in range(30):
        make_response(dataset)
    ada = make_person("ada", dataset)
    assign(dataset, ["ada"], overlap=0, seed=7)
    client = client_of(ada)
    for address in (page_of(Assignment.objects.first()), reverse("work", args=[dataset.pk])):
        with django_assert_max_num_queries(25):
            assert client.get(address).status_code == 200


def test_my_work_lists_ones_own_and_filters():
    dataset = make_dataset()
    make_response(dataset, prompt="Which numbers are even?")
    make_response(dataset, prompt="Which numbers are prime?")
    ada, ben = make_person("ada", dataset), make_person("ben", dataset)
    assign(dataset, ["ada", "ben"], overlap=0, seed=7)
    mine = Assignment.objects.get(annotator=ada).task.responses.get().prompt.text
    hers = Assignment.objects.get(annotator=ben).task.responses.get().prompt.text
    reserved = client_of(ada).get(reverse("work", args=[dataset.pk])).text
    assert "1 more is assigned to you." in reserved and mine not in reserved
    open_next(dataset, ada)
    open_next(dataset, ben)
    html = client_of(ada).get(reverse("work", args=[dataset.pk])).content.decode()
    assert mine in html
    assert hers not in html
    assert "assigned to you" not in html
    assert mine not in client_of(ada).get(reverse("work", args=[dataset.pk]) + "?state=submitted").content.decode()


def test_previous_and_next_lead_through_ones_own_work():
    dataset = make_dataset()
    for _ in range(3):
        make_response(dataset)
    ada = make_person("ada", dataset)
    assign(dataset, ["ada"], overlap=0, seed=7)
    now = timezone.now()
    third, first, second = Assignment.objects.order_by("task__position")
    for hour, each in enumerate([first, second, third]):
        open_assignment(each, now + timedelta(hours=hour))
    html = squeezed(client_of(ada).get(page_of(second)).content.decode())
    assert f'<a href="{page_of(first)}" rel="prev">' in html
    assert f'<a href="{page_of(third)}" rel="next">' in html
    assert "0 of my 3 tasks submitted" in html


def test_who_became_adjudicator_labels_no_more():
    work = felm_work()
    work.annotator.memberships.update(role="adjudicator")
    assert client_of(work.annotator).get(page_of(work)).status_code == 403
    assert client_of(work.annotator).post(page_of(work), form_of(work, "supported")).status_code == 403


def test_a_response_of_200_segments_fits_its_page():
    dataset = make_dataset()
    make_response(
        dataset,
        [f"Segment {n} has sixteen words, as most have that one reads, looks up and then judges." for n in range(200)],
    )
    ada = make_person("ada", dataset)
    assign(dataset, ["ada"], overlap=0, seed=7)
    work = Assignment.objects.get()
    client_of(ada).get(page_of(work))  # templates are read once
    start = process_time()
    answer = client_of(ada).get(page_of(work), headers={"accept-encoding": "gzip"})
    assert process_time() - start < 0.3
    assert len(answer.content) < 60_000  # compressed
    everything = form_of(work, *["supported"] * 200, action="submit")
    client_of(ada).post(page_of(work), everything)
    assert Label.objects.count() == 200


class TestBlind:
    """What an annotator must not see: others' labels and names, gold, predictions."""

    @pytest.fixture
    def dataset(self) -> Dataset:
        """Ada has submitted and Ben has begun, on a response that also has gold."""
        dataset = make_dataset()
        response = make_response(dataset)
        for name in ("ada", "ben", "cleo"):
            make_person(name, dataset)
        assign(dataset, ["ada", "ben"], overlap=1, seed=7)
        add_gold(response.segments.get(position=0), "not_supported", "fooled")
        ada = self.work_of("ada")
        client = client_of(ada.annotator)
        client.get(page_of(ada))
        first = keys(ada)[0]
        notes = {
            f"type-{first}": "reasoning",
            f"reason-{first}": "secret words",
            f"references-{first}": "https://secret",
        }
        client.post(page_of(ada), form_of(ada, "not_supported", "irrelevant", action="submit", **notes))
        assert "secret words" in client.get(page_of(ada)).content.decode()
        return dataset

    def work_of(self, name: str) -> Assignment:
        return Assignment.objects.get(annotator__username=name)

    def test_the_workbench_and_the_lists_show_nothing_of_another(self, dataset):
        ben = User.objects.get(username="ben")
        for address in (
            page_of(self.work_of("ben")),
            *(reverse(name, args=[dataset.pk]) for name in ("work", "label-next")),
        ):
            html = client_of(ben).get(address, follow=True).content.decode()
            assert "secret" not in html
            assert ">ada<" not in html
            assert "checked>" not in html.replace('value="" checked>', "")

    def test_what_the_script_is_answered_shows_nothing_of_another(self, dataset):
        work = self.work_of("ben")
        first, _ = keys(work)
        script_saves(work, {first: entry("supported")})
        for answer in (script_saves(work, {first: entry("irrelevant")}), script_compares(work, {first: entry()})):
            assert "secret" not in answer.content.decode()

    @pytest.mark.parametrize("name", ["ben", "cleo", "dora", "rhea"])
    def test_anothers_assignment_is_as_if_it_were_not_there(self, dataset, name):
        if name in ("dora", "rhea"):
            make_person(name, dataset, {"dora": "adjudicator", "rhea": "researcher"}[name])
        client = client_of(User.objects.get(username=name))
        assert client.get(page_of(self.work_of("ada"))).status_code == 404
        for page in ("assignment", "assignment-save", "assignment-compare", "skip", "take-up"):
            address = reverse(page, args=[self.work_of("ada").pk])
            assert client.post(address, {}, content_type="application/json").status_code == 404

    @pytest.mark.parametrize("name", ["label-next", "work"])
    @pytest.mark.parametrize(("role", "status"), [("adjudicator", 403), ("researcher", 403), (None, 404)])
    def test_annotators_pages_are_for_annotators(self, dataset, name, role, status):
        person = make_person("dora", dataset if role else None, role)
        assert client_of(person).get(reverse(name, args=[dataset.pk])).status_code == status


def test_references_of_the_response_can_be_read_and_only_links_are_links():
    work = felm_work()
    response = Response.objects.get()
    ReferenceLink.objects.create(response=response, position=0, url="https://a.example", content="Odd <i>numbers</i>")
    ReferenceLink.objects.create(response=response, position=1, url="javascript:alert(1)")
    html = client_of(work.annotator).get(page_of(work)).content.decode()
    assert '<a href="https://a.example"' in html
    assert "Odd &lt;i&gt;numbers&lt;/i&gt;" in html
    assert 'href="javascript' not in html


def test_a_settled_task_takes_nothing_more():
    work = felm_work()
    Task.objects.update(closed_at=timezone.now())
    assert client_of(work.annotator).post(page_of(work), form_of(work, "supported")).status_code == 409
    assert "This task is closed" in client_of(work.annotator).get(page_of(work)).content.decode()


def test_an_empty_segment_is_still_judged():
    work = felm_work()
    Segment.objects.filter(position=0).update(text="")
    assert "(empty)" in client_of(work.annotator).get(f"{page_of(work)}?plain").content.decode()
