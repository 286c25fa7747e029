"""How many queries a page asks of the database: never more for more data, and never more than is said here."""

from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.http import int_to_base36

from annotate.models import Assignment, Dataset, Role, User
from evaluators.models import Evaluator, Prediction, Run
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.blindness.walk import WORDS, Address, addresses, column_of, table_of
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

FEW, MORE = 3, 7
# The most that any page may ask for. The pages of experts at work, where it counts, have less room.
MOST = 60
AT_MOST = {"assignment": 12, "label-next": 14, "home": 30, "work": 14, "dataset": 26}
# Asked for with a form: the answer to an empty one is looked at in the tables of who may do what.
QUERIES = {"run-estimate": "?method=always-supported"}


def make_world(scheme: str, size: int) -> Dataset:
    """`size` of everything: tasks in dispute and settled, Ada's work, gold, runs, people."""
    dataset = make_dataset(scheme=scheme)
    dataset.guidelines.create(version=1, text="Judge what is said.")
    dora = make_person("dora", dataset, Role.ADJUDICATOR)
    ada, ben = make_person("ada", dataset), make_person("ben", dataset)
    for number in range(size):
        make_person(f"person{number}", dataset)
        _add_labelled(dataset, (ada, ben), number, size)
        _add_at_hand(dataset, ada, number, size)
        _add_run(dataset, number)
    dataset.gold_versions.create(name="v1", revision=dataset.gold_revision, hash="0" * 64, labels=size, created_by=dora)
    return dataset


def _segments(number: int, size: int) -> list[str]:
    return [f"{number} and {place} make a number." for place in range(size)]


def _add_labelled(dataset: Dataset, people: tuple[User, User], number: int, size: int) -> None:
    response = make_response(dataset, _segments(number, size), prompt=f"Prompt {number}", subject=f"model{number}")
    segments = list(response.segments.all())
    facts = add_facts(response, [["A fact.", "Another."]] * size)
    units = segments if dataset.scheme == "felm" else facts
    task = make_task(response)
    for person, value in zip(people, ("supported", "not_supported//Because."), strict=True):
        judge(task, person, dict.fromkeys(units, value))
    if number % 2:
        for unit in units:
            add_gold(unit, "supported")
        task.closed_at = timezone.now()
        task.save()


def _add_at_hand(dataset: Dataset, ada: User, number: int, size: int) -> None:
    response = make_response(dataset, _segments(number, size), prompt=f"More {number}", subject=f"model{number}")
    add_facts(response, [["A fact."]] * size)
    for place in range(size):
        response.references.create(position=place, url=f"https://{place}.example/")
    Assignment.objects.create(
        task=make_task(response), annotator=ada, place=0, state="open", lease_until=timezone.now()
    )


def _add_run(dataset: Dataset, number: int) -> None:
    evaluator = Evaluator.objects.create(name=f"judge {number}", method="always-supported")
    run = Run.objects.create(dataset=dataset, evaluator=evaluator, state="finished")
    for response in dataset.responses.all():
        run.items.create(response=response, position=response.position, state="done")
        for segment in response.segments.all():
            Prediction.objects.create(run=run, segment=segment, value="supported", rationale="It is so.")


def ask(client: Client, address: Address) -> int | None:
    """Queries of the page about the last object of its kind; None where there is no such page for the person."""
    numbers: list[int | str] = []
    for number in address.numbers:
        if number == "uidb36":
            numbers.append(int_to_base36(User.objects.latest("pk").pk))
            continue
        if number == "key" and "uidb36" in address.numbers:
            numbers.append("none")  # not a key of an assignment, which sometimes looks like one of this page
            continue
        if number in WORDS:
            numbers.append(WORDS[number])
            continue
        table: Any = table_of(address, number)
        if table is None:  # a link with a secret in it, or a page of accounts, which only superusers open
            return None
        last = table._default_manager.order_by("pk").values_list(column_of(number), flat=True).last()
        if last is None:
            return None
        numbers.append(last)
    path = reverse(address.name, args=numbers) + QUERIES.get(address.name, "")
    client.get(path)  # what is read once for a process, or written once for a person, is not counted
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
        b"".join(answer)
    return len(queries) if answer.status_code in (200, 302) else None


def count_all(scheme: str, size: int, name: str) -> dict[str, int]:
    cache.clear()  # of what other tests asked: too many requests would be refused
    make_world(scheme, size)
    client = Client()
    client.force_login(User.objects.get(username=name))
    counted = {address.name: ask(client, address) for address in addresses()}
    return {name: number for name, number in counted.items() if number is not None}


def count_twice(scheme: str, name: str) -> tuple[dict[str, int], dict[str, int]]:
    """With little data, and with more of everything."""
    counted = []
    for size in (FEW, MORE):
        with transaction.atomic():
            counted.append(count_all(scheme, size, name))
            transaction.set_rollback(True)
    return counted[0], counted[1]


@pytest.fixture(autouse=True)
def _attention_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not again in the middle of a walk that takes minutes."""
    monkeypatch.setattr("annotate.attention.read.COUNT_SECONDS", None)


@pytest.mark.parametrize("scheme", ["felm", "factscore"])
@pytest.mark.parametrize("name", ["ada", "dora"])
def test_more_data_is_no_more_queries(scheme: str, name: str):
    few, more = count_twice(scheme, name)
    assert {page: (few[page], more[page]) for page in few if more[page] > few[page]} == {}
    assert {page: number for page, number in more.items() if number > AT_MOST.get(page, MOST)} == {}
