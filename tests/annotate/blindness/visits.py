"""Annotators at work, and everything that the site serves them on the way.

Tasks with known answers are mixed among the work as the product mixes them. What differs between two tasks is drawn,
never chosen by their kind: so whatever tells the kinds apart is of the site's own doing.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotate.models import Assignment, Dataset, Segment, Task
from annotate.qualification.choose import set_kind
from annotate.tasks.assign import assign
from annotate.tasks.create import create_tasks
from tests.annotate.labels.script import entry
from tests.api.conftest import client_of
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

SEED = 18
NAMES = ("ada", "ben", "cleo", "dan")
SHARE = 0.25
# Of one length, so that a text tells no more than how many words it has.
WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "islet", "kelpy", "marsh", "oasis")
DOMAINS = ("math", "science", "writing")
# Tokens that are drawn anew for each answer.
TOKENS = re.compile(r'("X-CSRFToken": "|name="csrfmiddlewaretoken" value=")[^"]*')


@dataclass
class Visit:
    """One piece of work of an annotator: what was served while it was theirs, by the name of the request.

    `address` is that of its page; `first` is the primary key of its first segment, which no page may show.
    """

    annotator: str
    address: str
    control: bool = False
    first: int = 0
    served: dict[str, str] = field(default_factory=dict)


class Clock:
    """A time that goes on from one piece of work to the next, as repeatable as all else: how long the server takes is
    not looked at."""

    def __init__(self, seed: int) -> None:
        self.now, self.draw = datetime(2031, 5, 6, 7, tzinfo=UTC), random.Random(seed)

    def __call__(self) -> datetime:
        return self.now

    def go_on(self) -> None:
        self.now += timedelta(seconds=self.draw.uniform(20, 200))


def make_world(scheme: str, tasks: int, seed: int) -> Dataset:
    """Tasks of drawn length, a third of them old ones with gold that have become controls, the rest reserved."""
    draw = random.Random(seed)
    dataset = make_dataset(scheme=scheme)
    for _ in range(tasks):
        texts = [" ".join(draw.choices(WORDS, k=draw.randint(4, 12))) for _ in range(draw.randint(2, 5))]
        response = make_response(
            dataset,
            texts,
            prompt=" ".join(draw.choices(WORDS, k=6)),
            domain=draw.choice(["math", "science", "writing"]),
        )
        if scheme == "factscore":
            add_facts(response, [[text] for text in texts])
    create_tasks(dataset)
    keys = sorted(draw.sample(list(dataset.tasks.values_list("pk", flat=True)), tasks // 3))
    for segment in Segment.objects.filter(response__task__in=keys):
        for unit in [segment] if scheme == "felm" else segment.facts.all():
            add_gold(unit, draw.choice(["supported", "not_supported"]))
    set_kind(dataset, keys, Task.Kind.CONTROL)
    for name in NAMES:
        make_person(name, dataset)
    assign(dataset, NAMES, overlap=0, seed=seed)
    Dataset.objects.filter(pk=dataset.pk).update(control_share=SHARE)
    return dataset


def visits_of(scheme: str, tasks: int, each: int, monkeypatch: pytest.MonkeyPatch, seed: int = SEED) -> list[Visit]:
    """So many pieces of work of each annotator, in turns; sorted by annotator and time. The seed draws the tasks, the
    times and the turns of controls."""
    draw = random.Random(seed)
    clock = Clock(seed)
    monkeypatch.setattr("django.utils.timezone.now", clock)
    monkeypatch.setattr(settings, "SECRET_KEY", f"by which all keys and turns are drawn alike each time, {seed}")
    # The only chance in what is served; where there is none, nothing is drawn.
    monkeypatch.setattr(
        "annotate.models.work.token_urlsafe",
        lambda size: f"{draw.getrandbits(8 * size):0{2 * size}x}"[:16],
        raising=False,
    )
    dataset = make_world(scheme, tasks, seed)
    sessions = [_session(dataset, name, clock) for name in NAMES]
    return sorted(
        (next(session) for _ in range(each) for session in sessions), key=lambda visit: NAMES.index(visit.annotator)
    )


def _session(dataset: Dataset, name: str, clock: Clock) -> Iterator[Visit]:
    client = Client()
    client.force_login(make_person(name))
    pages = {page: reverse(page, args=[dataset.pk]) for page in ("work", "dataset")} | {"home": reverse("home")}
    api = client_of(make_person(name))
    before = _text(client.get(pages["work"]))
    answer = client.get(reverse("label-next", args=[dataset.pk]), follow=True)
    address, opened = answer.redirect_chain[-1][0], _text(answer)
    while True:
        visit = Visit(name, address, served={"list before": before, "opened": opened})
        for page, path in {"page": address, "plain": f"{address}?plain", **pages}.items():
            visit.served[page] = _text(client.get(path))
        workbench = visit.served["page"]
        units = re.findall(r'data-unit="([^"]+)"[^>]* data-required', workbench)
        own = urlsplit(address).path.strip("/")
        visit.served["API"] = _text(api.get(f"{own}/"))
        visit.served["API list"] = _text(api.get(f"datasets/{dataset.pk}/assignments/"))
        visit.served["API next"] = _text(api.post(f"datasets/{dataset.pk}/assignments/next/"))
        visit.served["evidence"] = _text(client.get(f"{address}evidence/", {"q": WORDS[0]}))
        saved = _post(client, f"{address}save/", 0, {units[0]: entry("supported", reason="So it is.")})
        visit.served["save"] = _text(saved)
        visit.served["precedents"] = _text(client.get(f"{address}precedents/", {"unit": units[0]}))
        clock.go_on()
        last = _post(client, f"{address}save/", 1, {unit: entry("supported") for unit in units}, submit=True)
        visit.served["read"] = _text(client.get(address))
        visit.served["list after"] = before = _text(client.get(pages["work"]))
        own = Assignment.objects.filter(annotator__username=name, state="submitted").latest("submitted_at")
        visit.control = own.task.kind == Task.Kind.CONTROL
        visit.first = own.task.responses.get().segments.order_by("position")[0].pk
        yield visit
        address, opened = last.json()["next"], _text(last)


def _post(client: Client, address: str, version: int, entries: dict[str, object], submit: bool = False) -> HttpResponse:
    body = {"version": version, "entries": entries, "worked": [], "submit": submit}
    answer = client.post(address, body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer


def _text(answer: HttpResponse) -> str:
    """Status, headers, cookies and body."""
    head = "\n".join([f"status: {answer.status_code}", *(f"{name}: {value}" for name, value in answer.headers.items())])
    return TOKENS.sub("token", f"{head}\n{sorted(answer.cookies)}\n\n{answer.content.decode()}")
