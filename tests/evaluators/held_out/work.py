"""A held-out board for tests: prompts with an error and a correct unit each, and teams that find some of the errors."""

import json
import re
from collections.abc import Collection

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset, Prompt, Role
from evaluators.models import HeldOutBoard
from tests.factories import add_gold, make_dataset, make_person, make_response

PROMPTS = 40


def make_lab(name: str = "lab") -> Dataset:
    """Forty prompts with an error and a correct unit each, frozen as v1."""
    dataset = make_dataset(name)
    for number in range(PROMPTS):
        first, second = make_response(dataset, [f"Wrong {number}.", "Right."]).segments.all()
        add_gold(first, "not_supported", "knowledge_error")
        add_gold(second, "supported")
    dataset.refresh_from_db()
    freeze_gold(dataset, "v1")
    return dataset


def adjudicator_of(dataset: Dataset) -> Client:
    client = Client()
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    return client


def open_board(dora: Client, dataset: Dataset, **fields: object) -> HeldOutBoard:
    sent = {"title": "Which is wrong?", "version": "v1", "hidden": 50, "daily": 2, "seed": 7, **fields}
    answer = dora.post(reverse("boards", args=[dataset.pk]), sent)
    assert answer.status_code == 302, answer.text
    return HeldOutBoard.objects.latest("pk")


def add_team(dora: Client, board: HeldOutBoard, name: str = "Heron") -> str:
    """The key of its link."""
    text = dora.post(reverse("board", args=[board.pk]), {"name": name}).text
    found = re.search(r'value="http://testserver/held-out/\?key=([^"]+)"', text)
    assert found is not None
    return found[1]


def predictions(dataset: Dataset, missed: Collection[int] = (), **more: object) -> list[dict]:
    """All right but the errors of the prompts with these primary keys, which are passed."""
    rows = []
    for response in dataset.responses.order_by("position"):
        passed = response.prompt_id in missed
        rows.append(
            {"index": response.index, "segment": 0, "value": "supported" if passed else "not_supported", **more}
        )
        rows.append({"index": response.index, "segment": 1, "value": "supported", **more})
    return rows


def send(key: str, rows: list[dict] | bytes, system: str = "heron-1", name: str = "sent.jsonl"):
    """The answer to a submission by a program."""
    content = rows if isinstance(rows, bytes) else "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    sent = {"system": system, "file": SimpleUploadedFile(name, content)}
    return Client().post(f"{reverse('held-out-submissions')}?key={key}", sent)


def prompts_of(dataset: Dataset) -> list[int]:
    return list(Prompt.objects.filter(dataset=dataset).order_by("pk").values_list("pk", flat=True))
