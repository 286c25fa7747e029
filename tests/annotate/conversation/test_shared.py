"""The conversation of all annotators of a task and the adjudicators, open while all have submitted."""

import io
import json
import zipfile

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.conversation.shared import write_shared_message
from annotate.labels.returned import may_take_back, send_back
from annotate.models import Assignment, SharedMessage, Task, ViewReceipt
from annotate.personal_data.own import write_own
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.labels.work import client_of
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


class Talk:
    """Ada and Ben have submitted one task; Dora adjudicates."""

    def __init__(self) -> None:
        self.dataset = make_dataset()
        self.task = make_task(make_response(self.dataset))
        self.ada, self.ben = (judge(self.task, make_person(name, self.dataset), {}) for name in ("ada", "ben"))
        self.dora = make_person("dora", self.dataset, "adjudicator")
        self.all = reverse("shared-conversation-of", args=[self.task.pk])

    def page(self, who: Assignment) -> str:
        return reverse("shared-conversation", args=[who.key])

    def read(self, who: Assignment) -> str:
        return client_of(who.annotator).get(self.page(who)).content.decode()

    def write(self, who: Assignment, text: str) -> str:
        return client_of(who.annotator).post(self.page(who), {"text": text}, follow=True).content.decode()

    def statuses(self) -> list[int]:
        """What Ada, Ben and Dora get."""
        pages = [client_of(each.annotator).get(self.page(each)) for each in (self.ada, self.ben)]
        return [each.status_code for each in (*pages, client_of(self.dora).get(self.all))]


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_annotators_are_letters_to_each_other_and_adjudicators_have_no_names(talk):
    talk.write(talk.ada, "Two is odd.")
    talk.write(talk.ben, "It is even.")
    client_of(talk.dora).post(talk.all, {"text": "I agree with B."})
    html = talk.read(talk.ben)
    names = [f"<b>{name}</b>" in html for name in ("Annotator A", "You", "Adjudicator")]
    assert names == [True, True, True]
    assert [text in html for text in ("Two is odd.", "It is even.", "I agree with B.")] == [True, True, True]
    assert [name in html for name in (">ada", "dora")] == [False, False]
    assert "you are “Annotator B”" in html


def test_an_adjudicator_reads_names_and_the_receipt_says_so(talk):
    talk.write(talk.ada, "Two is odd.")
    assert "<b>ada (Annotator A)</b>" in client_of(talk.dora).get(talk.all).content.decode()
    assert ViewReceipt.objects.filter(who=talk.dora, what=ViewReceipt.What.LABELS).exists()


def test_it_is_closed_until_all_have_submitted(talk):
    assert talk.statuses() == [200, 200, 200]
    send_back(talk.ben, "Look again.", talk.dora)
    assert talk.statuses() == [404, 404, 404]
    assert client_of(talk.ada.annotator).post(talk.page(talk.ada), {"text": "Odd."}).status_code == 404
    assert not SharedMessage.objects.exists()
    links = [reverse("assignment", args=[talk.ada.key]), reverse("receipt", args=[talk.task.pk])]
    people = [talk.ada.annotator, talk.dora]
    assert [
        "shared-conversation" in client_of(who).get(page).content.decode()
        for who, page in zip(people, links, strict=True)
    ] == [False, False]


@pytest.mark.parametrize(
    "change",
    [
        {"wants": 3},
        {"rebuttal_at": timezone.now()},
        {"kind": Task.Kind.CONTROL},
        {"kind": Task.Kind.QUALIFICATION},
    ],
    ids=["a place is free", "in rebuttal", "a control", "a qualification"],
)
def test_it_is_closed_where_labels_may_still_change_or_answers_are_known(talk, change):
    Task.objects.filter(pk=talk.task.pk).update(**change)
    assert talk.statuses() == [404, 404, 404]


def test_of_a_task_that_became_a_control_it_stays_that_of_its_annotators_of_before(talk):
    Task.objects.update(kind=Task.Kind.CONTROL, known_since=timezone.now())
    cleo = judge(talk.task, make_person("cleo", talk.dataset), {})
    assert talk.statuses() == [200, 200, 200]
    assert client_of(cleo.annotator).get(talk.page(cleo)).status_code == 404


def test_one_annotator_alone_has_no_conversation_of_all(talk):
    alone = judge(make_task(make_response(talk.dataset), wants=1), talk.ada.annotator, {})
    assert client_of(talk.ada.annotator).get(talk.page(alone)).status_code == 404


def test_pages_of_the_task_link_to_it(talk):
    own = client_of(talk.ada.annotator).get(reverse("assignment", args=[talk.ada.key])).content.decode()
    receipt = client_of(talk.dora).get(reverse("receipt", args=[talk.task.pk])).content.decode()
    assert (talk.page(talk.ada) in own, talk.all in receipt) == (True, True)


def test_new_messages_are_marked_once_and_listed_with_the_work(talk):
    talk.write(talk.ada, "Two is odd.")
    work = reverse("work", args=[talk.dataset.pk]) + "?state=messages"
    assert "1 new to all" in client_of(talk.ben.annotator).get(work).content.decode()
    assert "1 new to all" not in client_of(talk.ada.annotator).get(work).content.decode()
    tasks = reverse("assign", args=[talk.dataset.pk]) + "?state=messages"
    receipt = reverse("receipt", args=[talk.task.pk])
    assert receipt in client_of(talk.dora).get(tasks).content.decode()
    assert ['class="new"' in talk.read(talk.ben) for _ in range(2)] == [True, False]
    client_of(talk.dora).get(talk.all)
    assert receipt not in client_of(talk.dora).get(tasks).content.decode()
    assert "1 new to all" not in client_of(talk.ben.annotator).get(work).content.decode()


def test_nothing_is_taken_back_once_somebody_wrote(talk):
    assert may_take_back(talk.ben)
    write_shared_message(talk.task, talk.ada.annotator, "Two is odd.")
    assert not may_take_back(talk.ben)


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 5001])
def test_a_message_that_cannot_be_sent_says_why(talk, text):
    assert "Not sent:" in talk.write(talk.ada, text)
    assert not SharedMessage.objects.exists()


def test_ones_own_data_holds_what_one_may_read(talk):
    write_shared_message(talk.task, talk.ada.annotator, "Two is odd.")
    write_shared_message(talk.task, talk.ben.annotator, "It is even.")

    def said() -> list[tuple[str, str]]:
        file = io.BytesIO()
        write_own(talk.ada.annotator, file, lambda *_: None)
        lines = zipfile.ZipFile(file).read("messages_to_all.jsonl").splitlines()
        return [(row["author"], row["text"]) for row in map(json.loads, lines)]

    assert said() == [("you", "Two is odd."), ("somebody else", "It is even.")]
    send_back(talk.ben, "Look again.", talk.dora)
    assert said() == [("you", "Two is odd.")]
