"""The page "Label next" and the command: states, one click, refusals."""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.export.labels import export_labels
from annotate.models import Assignment, GoldLabel, Task, User
from evaluators.label_next.plan import draw_round, make_plan
from tests.annotate.adjudication.work import judge
from tests.evaluators.label_next.test_plan import drawn_keys
from tests.evaluators.label_next.work import NAMES, label, make_pool
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def client_of(name):
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def read(client, dataset, query=""):
    answer = client.get(reverse("next-labels", args=[dataset.pk]) + query)
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def test_alone_an_evaluator_has_nobody_to_predict_with():
    dataset = make_pool(4, evaluators=1)
    assert "Only judge 0 has predictions here" in read(client_of("dora"), dataset)


def test_labels_without_a_plan_are_refused_with_the_reason():
    dataset = make_pool()
    label(dataset, list(dataset.responses.values_list("prompt", flat=True))[:12])
    text = read(client_of("rhea"), dataset)
    assert "A plan gives each prompt a fixed score" in text
    assert "Only adjudicators can create a plan" in text


def test_plan_draw_label_and_read():
    dataset = make_pool()
    client, address = client_of("dora"), reverse("next-labels", args=[dataset.pk])
    planned = client.post(address, {"evaluator": "judge 0", "figure": "f1", "seed": "7"}, follow=True)
    assert "Planned for judge 0 (seed 7)" in planned.content.decode()
    assert "No rounds yet" in read(client, dataset)
    assert "most others contradict it at 3 of 3 units" in read(client, dataset, "?more=12")
    drawn = client.post(address, {"more": "12", "annotators": NAMES}, follow=True)
    assert "Round 1 is drawn" in drawn.content.decode()
    # Every task wants two here, the dataset's overlap being 1.
    assert Assignment.objects.of(dataset).count() == 2 * Task.objects.filter(dataset=dataset).count() > 0
    assert "Labels are missing" in read(client, dataset)
    label(dataset, drawn_keys(dataset))
    text = read(client, dataset)
    assert "labels saved against random" in text or "Random prompts are as good" in text
    table = client.get(address + "?table=rounds&as=csv").content.decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(table))
    assert float(row["low"]) < float(row["value"]) < float(row["high"])
    chart = client.get(reverse("next-labels-chart", args=[dataset.pk, "interval-by-labels", "csv"]))
    assert f"{row['labels']}," in chart.content.decode()


def test_more_rounds_ask_the_database_for_no_more():
    dataset = make_pool(40)
    plan = make_plan(dataset, "judge 0", "f1", 7, None)
    client, queries = client_of("dora"), []
    for _ in range(3):
        draw_round(plan, 6, NAMES, User.objects.get(username="dora"))
        label(
            dataset, [key for key in drawn_keys(dataset) if not GoldLabel.objects.filter(segment__response__prompt=key)]
        )
        read(client, dataset)
        with CaptureQueriesContext(connection) as captured:
            read(client, dataset)
        queries.append(len(captured))
    assert queries[0] == queries[1] == queries[2] <= 30


@pytest.mark.parametrize("sent", [{"more": "5"}, {"more": "0", "annotators": "ada"}, {"evaluator": "nobody"}, {}])
def test_what_cannot_be_done_changes_nothing_and_says_so(sent):
    dataset = make_pool()
    make_plan(dataset, "judge 0", "f1", 7, None)
    answer = client_of("dora").post(reverse("next-labels", args=[dataset.pk]), sent)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert dataset.label_plans.get().rounds.count() == 0


@pytest.mark.parametrize("name", ["rhea", "ada"])
def test_only_an_adjudicator_plans_and_draws(name):
    dataset = make_pool()
    make_plan(dataset, "judge 0", "f1", 7, None)
    client, address = client_of(name), reverse("next-labels", args=[dataset.pk])
    assert client.post(address, {"more": "12", "annotators": NAMES}).status_code == 403
    assert client.post(address, {"evaluator": "judge 0", "figure": "f1"}).status_code == 403
    assert not Task.objects.exists()


def test_the_command_plans_draws_and_estimates(capsys):
    dataset = make_pool()
    with pytest.raises(CommandError, match="the probabilities of those that are there are not known"):
        call_command("label_next", "lab")
    words = ("--evaluator", "judge 0", "--plan", "--draw", "12", "--annotators", "ada,ben", "--json")
    call_command("label_next", "lab", *words)
    drawn = json.loads(capsys.readouterr().out)
    assert (drawn["rounds"][0]["expected"], drawn["rounds"][0]["value"]) == (12, None)
    label(dataset, drawn_keys(dataset))
    call_command("label_next", "lab")
    assert capsys.readouterr().out.splitlines()[1].startswith("round 1: ")
    with pytest.raises(CommandError, match="--draw needs a number from 1 on"):
        call_command("label_next", "lab", "--draw", "0")


def test_labels_are_exported_with_the_probability_of_their_task():
    dataset = make_pool()
    draw_round(make_plan(dataset, "judge 0", "f1", 7, None), 12, NAMES, None)
    task = Task.objects.filter(dataset=dataset).first()
    Assignment.objects.all().delete()
    judge(task, User.objects.get(username="ada"), dict.fromkeys(task.responses.get().segments.all(), "supported"))
    rows = [json.loads(line) for line in export_labels(dataset)]
    assert [row["probability"] for row in rows] == [task.probability] * 3


def test_names_of_figures_link_to_their_definitions():
    dataset = make_pool()
    client, address = client_of("dora"), reverse("next-labels", args=[dataset.pk])
    client.post(address, {"evaluator": "judge 0", "figure": "f1", "seed": "7"})
    check_figure_names(read(client, dataset, "?more=12"), "Probability")
    client.post(address, {"more": "12", "annotators": NAMES})
    label(dataset, drawn_keys(dataset))
    page = read(client, dataset)
    check_figure_names(page, "Prompts", "F1", "95 % interval")
    figures = page.partition('<dl class="facts">')[2].partition("</dl>")[0]
    check_figure_names(figures, "Drawn", "Their labels", terms=True)
