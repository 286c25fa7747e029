"""Conversations at a task: one with each annotator, blind to the others."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Assignment, AssignmentEvent, Message
from annotate.tasks.create import create_tasks
from tests.annotate.labels.work import client_of
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


class Talk:
    """Ada and Ben are on one task; Dora adjudicates."""

    def __init__(self) -> None:
        self.dataset = make_dataset()
        make_response(self.dataset)
        create_tasks(self.dataset)
        self.dataset.tasks.update(wants=2)
        self.task = self.dataset.tasks.get()
        people = [make_person(name, self.dataset) for name in ("ada", "ben")]
        self.ada, self.ben = (
            Assignment.objects.create(task=self.task, annotator=person, place=place)
            for place, person in enumerate(people)
        )
        self.dora = make_person("dora", self.dataset, "adjudicator")

    def client(self, who: Assignment) -> Client:
        return client_of(who.annotator)

    def page(self, who: Assignment) -> str:
        return reverse("conversation", args=[who.key])

    @property
    def all(self) -> str:
        return reverse("conversations", args=[self.task.pk])

    def write(self, who: Assignment, text: str) -> str:
        answer = self.client(who).post(self.page(who), {"text": text}, follow=True)
        return answer.content.decode()

    def answer(self, to: Assignment, text: str) -> str:
        answer = client_of(self.dora).post(self.all, {"assignment": to.pk, "text": text}, follow=True)
        return answer.content.decode()


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_an_annotator_reads_only_their_own_conversation_and_no_name_in_it(talk):
    talk.write(talk.ada, "Is two odd?")
    talk.write(talk.ben, "A secret of Ben.")
    talk.answer(talk.ada, "No.")
    html = talk.client(talk.ada).get(talk.page(talk.ada)).content.decode()
    assert ("Is two odd?" in html, "No." in html, "Adjudicator</b>" in html) == (True, True, True)
    assert ("A secret of Ben." in html, "dora" in html, ">ben<" in html) == (False, False, False)


def test_an_adjudicator_reads_the_conversations_with_everybody(talk):
    talk.write(talk.ada, "Is two odd?")
    talk.write(talk.ben, "Is one odd?")
    html = client_of(talk.dora).get(talk.all).content.decode()
    assert ("Is two odd?" in html, "Is one odd?" in html, "<b>ada</b>" in html) == (True, True, True)


def test_text_is_shown_as_it_is(talk):
    assert "&lt;b&gt;odd&lt;/b&gt;" in talk.write(talk.ada, "<b>odd</b>")


def test_a_message_is_read_once_the_other_side_opens_the_page(talk):
    talk.write(talk.ada, "Is two odd?")
    talk.client(talk.ada).get(talk.page(talk.ada))
    assert Message.objects.get().read_at is None
    assert 'class="new"' in client_of(talk.dora).get(talk.all).content.decode()
    assert Message.objects.get().read_at is not None
    talk.answer(talk.ada, "No.")
    assert Message.objects.get(text="No.").read_at is None
    assert 'class="new"' in talk.client(talk.ada).get(talk.page(talk.ada)).content.decode()
    assert 'class="new"' not in talk.client(talk.ada).get(talk.page(talk.ada)).content.decode()


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 5001])
def test_a_message_that_cannot_be_sent_says_why(talk, text):
    assert "Not sent:" in talk.write(talk.ada, text)
    assert not Message.objects.exists()


@pytest.mark.parametrize("number", ["", "x", "9" * 30])
def test_a_message_goes_to_an_annotator_of_the_task(talk, number):
    answer = client_of(talk.dora).post(talk.all, {"assignment": number, "text": "No."}, follow=True)
    assert "choose an annotator of this task" in answer.content.decode()
    assert not Message.objects.exists()


def test_the_note_of_work_that_was_sent_back_stands_in_the_conversation(talk):
    AssignmentEvent.objects.create(
        task=talk.task, annotator=talk.ada.annotator, what="sent_back", who=talk.dora, note="Look again."
    )
    html = talk.client(talk.ada).get(talk.page(talk.ada)).content.decode()
    assert ("Look again." in html, "dora" in html) == (True, False)
    assert "Look again." not in talk.client(talk.ben).get(talk.page(talk.ben)).content.decode()


def test_nobody_reads_the_conversation_of_another_annotator(talk):
    assert talk.client(talk.ben).get(talk.page(talk.ada)).status_code == 404
    assert talk.client(talk.ben).get(talk.all).status_code == 404
