"""Pages of an annotator's work hold keys of the assignment and no number of a row, and their counts tell no control."""

import json
import re

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.judgements.page_keys import PageKeys
from annotate.models import Assignment, AtomicFact, Dataset, Response, Segment, Task
from annotate.qualification.choose import set_kind
from annotate.qualification.turns import controls_among, is_control_turn
from annotate.tasks.assign import assign
from annotate.tasks.create import create_tasks
from tests.annotate.labels.script import entry
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

# Numbers of rows that nothing else on a page is like.
ROW = re.compile(r"\b[1-5]77\d{4}\b")


def make_far_rows(scheme: str) -> Dataset:
    """Two tasks for Ada and Ben, whose rows have numbers that can be recognised."""
    dataset = make_dataset(scheme=scheme)
    for prompt in ("Which numbers are odd?", "Which numbers are even?"):
        make_response(dataset, prompt=prompt)
    Segment.objects.update(id=F("id") + 1_770_000, response=F("response") + 2_770_000)
    Response.objects.update(id=F("id") + 2_770_000)
    if scheme == "factscore":
        for response in dataset.responses.all():
            add_facts(response, [["One is a number.", "One is odd."], ["Two is even."]])
        AtomicFact.objects.update(id=F("id") + 3_770_000)
    create_tasks(dataset)
    Task.objects.update(id=F("id") + 4_770_000)
    Response.objects.update(task=F("task") + 4_770_000)
    for name in ("ada", "ben"):
        make_person(name, dataset)
    assign(dataset, ["ada", "ben"], overlap=1, seed=7)
    Assignment.objects.update(id=F("id") + 5_770_000)
    return dataset


def client_of(name: str) -> Client:
    client = Client()
    client.force_login(make_person(name))
    return client


@pytest.mark.parametrize("scheme", ["felm", "factscore"])
def test_no_page_of_ones_work_holds_the_number_of_a_row(scheme: str):
    dataset = make_far_rows(scheme)
    Dataset.objects.update(rebuttal=True)
    served: dict[str, str] = {}
    for name in ("ada", "ben"):
        value = "supported" if name == "ada" else "not_supported"
        served |= {f"{name}: {what}": text for what, text in label_all(client_of(name), dataset, value).items()}
    ada = client_of("ada")
    for own in Assignment.objects.filter(annotator__username="ada"):
        rebuttal = ada.get(reverse("rebuttal", args=[own.key]))
        assert rebuttal.status_code == 200
        served["rebuttal"] = rebuttal.text
    Task.objects.update(closed_at=timezone.now())
    for segment in Segment.objects.all():
        for unit in [segment] if scheme == "felm" else segment.facts.all():
            add_gold(unit, "not_supported")
    for own in Assignment.objects.filter(annotator__username="ada"):
        outcome = ada.get(reverse("outcome", args=[own.key]))
        assert "Challenge this" in outcome.text
        served["outcome"] = outcome.text
    for page in ("outcomes", "work", "dataset"):
        served[page] = ada.get(reverse(page, args=[dataset.pk])).text
    assert {what: ROW.findall(text) for what, text in served.items() if ROW.search(text)} == {}


def label_all(client: Client, dataset: Dataset, value: str) -> dict[str, str]:
    """Everything served while the annotator does all their tasks."""
    served: dict[str, str] = {}
    while True:
        opened = client.get(reverse("label-next", args=[dataset.pk]), follow=True)
        address = opened.redirect_chain[-1][0] if opened.redirect_chain else ""
        if "rebuttal" in address or not address:
            return served
        page = served[f"{address} page"] = f"{opened.redirect_chain} {opened.text}"
        units = re.findall(r'data-unit="([^"]+)"[^>]* data-required', page)
        served |= {f"{address} plain": client.get(f"{address}?plain").text}
        kinds = {
            **{unit: entry(value, reason="So it is.") for unit in units},
            **{key: {"keep": True, "reason": ""} for key in re.findall(r'data-verdict="([^"]+)"', page)},
        }
        for what, body in {
            "save/": {"version": 0, "entries": kinds, "worked": []},
            "compare/": {"entries": {}, "unsaved": list(kinds), "unanswered": []},
        }.items():
            answer = client.post(address + what, body, content_type="application/json")
            assert answer.status_code == 200, answer.text
            served[address + what] = answer.text
        last = client.post(
            f"{address}save/",
            {"version": 1, "entries": {}, "worked": [], "submit": True},
            content_type="application/json",
        )
        assert "next" in last.json(), last.text
        served |= {f"{address} next": last.text, f"{address} read": client.get(address).text}


def test_a_unit_has_another_key_in_each_assignment():
    make_far_rows("felm")
    of_unit = {PageKeys(own).of("16") for own in Assignment.objects.all()}
    assert len(of_unit) == Assignment.objects.count() == 4


def test_a_number_of_a_row_is_no_address():
    dataset = make_far_rows("felm")
    client = client_of("ada")
    address = client.get(reverse("label-next", args=[dataset.pk]), follow=True).redirect_chain[-1][0]
    own = Assignment.objects.get(key=address.split("/")[2])
    assert client.get(f"/assignments/{own.pk}/").status_code == 404
    segment = own.task.responses.get().segments.all()[0]
    body = {"version": 0, "entries": {str(segment.pk): entry("supported")}, "worked": []}
    answer = client.post(f"{address}save/", body, content_type="application/json")
    assert answer.status_code == 422 and "is not an address of this task" in json.loads(answer.content)["error"]


def test_the_counts_are_the_same_after_a_control_as_after_work():
    """With six tasks reserved and controls at every second turn."""
    dataset = make_dataset()
    for _ in range(12):
        make_response(dataset)
    create_tasks(dataset)
    controls = list(dataset.tasks.values_list("pk", flat=True))[::2]
    for segment in Segment.objects.filter(response__task__in=controls):
        add_gold(segment, "supported")
    set_kind(dataset, controls, Task.Kind.CONTROL)
    make_person("ada", dataset)
    assign(dataset, ["ada"], overlap=0, seed=7)
    Dataset.objects.update(control_share=0.5)
    client = client_of("ada")
    counts, kinds = [], []
    for number in range(12):
        answer = client.get(reverse("label-next", args=[dataset.pk]), follow=True)
        address = answer.redirect_chain[-1][0]
        counts.append(re.findall(r"(\d+) of my (\d+) tasks? submitted", answer.text)[0])
        home = " ".join(client.get("/").text.split())
        work = " ".join(client.get(reverse("work", args=[dataset.pk])).text.split())
        more = int(counts[-1][1]) - number
        assert f"open: {more}." in home
        assert ("assigned to you" in work) == (more > 1) and work.count("<tr>") == number + 2
        units = re.findall(r'data-unit="([^"]+)"', answer.text)
        body = {"version": 0, "entries": dict.fromkeys(units, entry("supported")), "worked": [], "submit": True}
        assert client.post(f"{address}save/", body, content_type="application/json").status_code == 200
        kinds.append(Assignment.objects.get(key=address.split("/")[2]).task.kind)
        if kinds.count("work") == 6:
            break
    assert kinds.count("control") >= 3
    assert counts == [(str(number), counts[0][1]) for number in range(len(counts))]
    assert len(counts) == int(counts[0][1])


@pytest.mark.parametrize("share", [0.1, 0.25, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("turn", [0, 3, 17])
def test_the_controls_to_come_are_those_that_come(share: float, turn: int):
    for work in (0, 1, 2, 7, 40):
        for left in (0, 1, 5, 1000):
            done, controls, now = 0, 0, turn
            while done < work:
                if controls < left and is_control_turn(now, share, "1/2"):
                    controls += 1
                else:
                    done += 1
                now += 1
            assert controls_among(work, turn, left, share, "1/2") == controls
