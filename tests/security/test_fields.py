"""Whatever stands in a field of a form, in a query, in JSON or in a file: an answer, never a server error.

Every page's forms are sent by a person who has them, with some of the fields changed. `make security` sends 60,000.
"""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from annotate.judgements.entries import COMMENT_KEY
from annotate.judgements.page_keys import PageKeys
from annotate.models import Assignment, AtomicFact
from tests.security import values
from tests.security.asking import Answer, ask
from tests.security.conftest import SENDERS, senders_of
from tests.security.crawling import crawl, is_page, links_of
from tests.security.forms import Form, forms_of
from tests.security.people import add_outsiders, log_in
from tests.world import make_world

pytestmark = pytest.mark.django_db

# What the scripts of pages send as JSON.
ENTRY = {
    "value": "not_supported",
    "error_type": "reasoning",
    "irrelevance": "",
    "reason": "It is even.",
    "flagged": False,
    "references": [{"url": "https://one.example/", "quote": "One", "stance": "supports", "snapshot": None}],
}
SAVE = {"version": 0, "entries": {}, "unsaved": [], "unanswered": [], "worked": [], "submit": True}


class Sending(NamedTuple):
    who: str
    what: str
    send: Callable[[Client, random.Random], Answer]


@pytest.fixture(scope="module")
def sendings(module_db: None, request: pytest.FixtureRequest) -> list[Sending]:
    """One for each form, each page with a query and each address that takes JSON, of everybody who has it."""
    make_world()
    add_outsiders()
    found: dict[tuple[Any, ...], Sending] = {}
    for name in senders_of(request.config, 0):
        for each in of_person(name):
            found.setdefault((name, each.what), each)
    return list(found.values())


def of_person(name: str) -> Iterator[Sending]:
    asked: dict[str, set[str]] = {}
    for path, answer in crawl(log_in(name)):
        if answer.status != 200:
            continue
        for target in (path, *links_of(path, answer)):
            parts = urlsplit(target)
            asked.setdefault(parts.path, set()).update(key for key, _ in parse_qsl(parts.query, True))
        for form in forms_of(path, answer.body) if is_page(answer) else ():
            yield Sending(name, f"{form.method} {form.path} {' '.join(form.fields)}", sent_form(form))
    every_key = sorted(set().union(*asked.values()))
    for path, keys in asked.items():
        if not path.startswith(("/admin/", "/static/", "/logout/")):
            yield Sending(name, f"query {path}", sent_query(path, sorted(keys), every_key))
    for assignment in Assignment.objects.filter(annotator__username=name):
        for way in ("assignment-save", "assignment-compare", "card"):
            yield Sending(
                name, f"JSON {way} {assignment.pk}", sent_json(assignment, reverse(way, args=[assignment.key]))
            )


def sent_form(form: Form) -> Callable[[Client, random.Random], Answer]:
    """With up to three of its fields changed, or gone, or sent twice."""

    def send(client: Client, chance: random.Random) -> Answer:
        fields: dict[str, Any] = dict(form.fields)
        for name in chance.sample(sorted(fields), k=min(len(fields), chance.randint(0, 3))):
            match chance.randrange(6):
                case 0:
                    del fields[name]
                case 1:
                    fields[name] = [values.text(chance), fields[name], values.text(chance)]
                case _:
                    fields[name] = values.text(chance)
        if form.method == "get":
            return ask(client, "get", form.path, data=fields)
        files = {name: values.file(chance) for name in form.files if chance.random() < 0.9}
        return ask(client, "post", form.path, data=fields | files)

    return send


def sent_query(path: str, keys: list[str], every_key: list[str]) -> Callable[[Client, random.Random], Answer]:
    """Of the names that links to this page have, and one of any other page."""

    def send(client: Client, chance: random.Random) -> Answer:
        names = [*chance.sample(keys, k=min(len(keys), chance.randint(1, 3))), chance.choice(every_key)]
        query = urlencode([(name, values.text(chance)) for name in names for _ in range(chance.choice((1, 1, 2)))])
        return ask(client, "get", f"{path}?{query[:8_000]}")

    return send


def sent_json(assignment: Assignment, path: str) -> Callable[[Client, random.Random], Answer]:
    """What the workbench sends of the assignment, with one place changed."""
    known = SAVE | {"entries": entries_of(assignment)}

    def send(client: Client, chance: random.Random) -> Answer:
        body = values.body(chance, known)
        return ask(client, "post", path, data=body, content_type="application/json", HTTP_ACCEPT="application/json")

    return send


def entries_of(assignment: Assignment) -> dict[str, Any]:
    """An entry for each of the assignment's units, by the keys that its page has for them."""
    responses = assignment.task.responses.all()
    segments = [segment for response in responses for segment in response.segments.all()]
    facts = AtomicFact.objects.filter(segment__in=segments)
    keys = [*(str(segment.pk) for segment in segments), *(f"{fact.segment_id}.{fact.pk}" for fact in facts)]
    entries = dict.fromkeys(keys, ENTRY) | {f"edit.{segment.pk}": {"text": "One."} for segment in segments}
    verdicts = {
        f"keep.{response.pk}": {"keep": False, "reason": "Odd."} for response in assignment.task.responses.all()
    }
    return PageKeys(assignment).of_all(entries | verdicts | {COMMENT_KEY: {"text": "Odd."}})


def test_nothing_that_is_sent_is_a_server_error(sendings: list[Sending], amount: int, seed: int) -> None:
    clients = {name: log_in(name) for name in SENDERS}
    chance = random.Random(seed)
    found: dict[str, str] = {}
    statuses: dict[int, int] = {}
    for number in range(amount):
        each = sendings[number % len(sendings)] if number < len(sendings) else chance.choice(sendings)
        state = chance.getstate()
        answer = each.send(clients[each.who], chance)
        statuses[answer.status] = statuses.get(answer.status, 0) + 1
        if answer.status >= 500 or answer.error is not None:
            found.setdefault(f"{each.what}: {answer.error}", f"{each.who}, request {number}, {hash(state)}")
    assert not found, f"seed {seed}:\n" + "\n".join(f"{what} ({where})" for what, where in found.items())
    assert statuses.get(422, 0) > amount / 50 and statuses.get(302, 0) > amount / 100, statuses


def test_the_values_of_json_are_changed() -> None:
    """So the test above sends more than what is right."""
    chance = random.Random(1)
    known = {"version": 0, "entries": {"1": ENTRY}}
    changed = [values.document(chance, known) for _ in range(200)]
    assert sum(each != known for each in changed) > 190
    assert len({json.dumps(each, sort_keys=True) for each in changed}) > 100
