"""Scores of subject models corrected by gold, through the command and the page."""

import json

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from core.caching import memory
from evaluators.predictions.import_file import import_predictions
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

JUDGE = "judge from elsewhere"


@pytest.fixture
def bios(db, tmp_path):
    """Of four people by two subjects; amber is labelled, basalt not, and the judge has judged both.

    Each response has two facts. Of amber gold says SS SS NN NN, the judge SS SS SN NN; of basalt SN SN NN NN.
    """
    memory.clear()
    dataset = make_dataset(scheme="factscore")
    lines, prompts = [], {}
    for subject, gold, said in (("amber", "SSSSNNNN", "SSSSSNNN"), ("basalt", None, "SNSNNNNN")):
        for place, topic in enumerate(("Ada", "Ben", "Cleo", "Dan")):
            response = make_response(dataset, ["It is so."], prompts.get(topic, topic), subject=subject)
            prompts[topic] = response.prompt
            for number, fact in enumerate(add_facts(response, [["One.", "Two."]], origin="human" if gold else "model")):
                letter = said[2 * place + number]
                value = "supported" if letter == "S" else "not_supported"
                lines.append({"index": response.index, "segment": 0, "fact": number, "value": value})
                if gold:
                    add_gold(fact, "supported" if gold[2 * place + number] == "S" else "not_supported")
    path = tmp_path / "said.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    import_predictions(dataset, path, JUDGE)
    make_person("rhea", dataset, "researcher")
    return dataset


def score(capsys, *options):
    capsys.readouterr()
    call_command("score_subjects", "lab", "--json", *options)
    return json.loads(capsys.readouterr().out)["evaluators"][0]


def read(dataset, **query):
    client = Client()
    client.login(username="rhea", password="rhea")
    answer = client.get(reverse("subject-ranking", args=[dataset.pk]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_unlabelled_subject_is_corrected_by_the_labelled_one(bios, capsys):
    corrections = score(capsys)["corrections"]
    known = corrections["calibration"]
    # One of amber's four wrong facts was called supported.
    assert (known["sensitivity"], known["specificity"]) == (1.0, 0.75)
    amber, basalt = corrections["subjects"]
    # ḡ = (1/2 + 1/2 + 0 + 0)/4; θ = (1/4 + 3/4 − 1)/(1 + 3/4 − 1).
    assert (basalt["estimated"], basalt["labelled"], basalt["rogan_gladen"]) == (0.25, 0, pytest.approx(0.0))
    assert basalt["undefined"] == {"prediction_powered": "the subject has no labels of its own"}
    assert amber["rogan_gladen"] is None


def test_of_a_subject_with_some_labels_the_others_are_inferred(db, tmp_path, capsys):
    """Of twelve responses ten are labelled, right and wrong in turn; half of each is called supported, else none."""
    memory.clear()
    dataset, lines = make_dataset(scheme="factscore"), []
    for place in range(12):
        response = make_response(dataset, ["It is so."], f"Who is number {place}?", subject="basalt")
        for number, fact in enumerate(add_facts(response, [["One.", "Two."]])):
            value = "supported" if place < 10 and number else "not_supported"
            lines.append({"index": response.index, "segment": 0, "fact": number, "value": value})
            if place < 10:
                add_gold(fact, "not_supported" if place % 2 else "supported")
    path = tmp_path / "said.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    import_predictions(dataset, path, JUDGE)
    [basalt] = score(capsys)["corrections"]["subjects"]
    # f = 1 and 0, g = 1/2 with labels, g = 0 without: no covariance, λ = 0, the labels alone decide.
    assert (basalt["labelled"], basalt["prediction_powered"]) == (10, 0.5)
    assert basalt["prediction_powered_weight"] == 0.0
    # 0.5 ± t · √(Var f / n): Var f = 10 · ¼ / 9, t = 2.262 with nine degrees of freedom.
    assert basalt["prediction_powered_interval"] == pytest.approx([0.5 - 2.262157 / 6, 0.5 + 2.262157 / 6], abs=1e-6)


def test_with_fewer_than_ten_labels_nothing_is_inferred(bios, capsys):
    for place, response in enumerate(bios.responses.filter(subject="basalt").order_by("position")[:2]):
        for fact in response.fact_sets.get().facts.all():
            add_gold(fact, "not_supported" if place else "supported")
    basalt = score(capsys)["corrections"]["subjects"][1]
    assert (basalt["labelled"], basalt["prediction_powered"], basalt["prediction_powered_interval"]) == (2, None, None)
    assert "fewer than 10 judged responses with labels" in basalt["undefined"]["prediction_powered"]


def test_without_gold_there_is_nothing_to_correct_by(db, capsys):
    memory.clear()
    dataset = make_dataset(scheme="factscore")
    add_facts(make_response(dataset, ["It is so."], subject="amber"), [["One."]])
    work_on(RunJob(), create_run(dataset, "always-supported").run.pk)
    make_person("rhea", dataset, "researcher")
    assert score(capsys)["corrections"] is None
    assert "the evaluator's errors are unknown" in read(dataset)


def test_the_page_shows_the_correction_and_what_it_would_have_missed_by(bios):
    text = squeezed(read(bios))
    assert "calls 1.000" in text
    assert "With two labelled subject models, each can be corrected by the other" in text
    rows = read(bios, table="corrections", **{"as": "csv"}).splitlines()
    assert [row.split(",")[6] for row in rows[1:]] == ["", "0.0"]


def test_a_length_penalty_is_not_corrected(bios, capsys):
    assert score(capsys, "--length-penalty")["corrections"] is None
    assert "Corrections need scores without a length penalty" in read(bios, penalty="on")


def test_subsets_larger_than_the_prompts_say_so(bios, capsys):
    assert [size["undefined"] for size in score(capsys)["spread"]] == [
        f"it takes {size} prompts, and there are 4" for size in (40, 100, 200)
    ]
    assert "Subsets of 200 prompts: it takes 200 prompts, and there are 4." in read(bios)


def test_the_ranking_is_taken_away_as_a_chart(bios):
    client = Client()
    client.login(username="rhea", password="rhea")
    answer = client.get(reverse("subject-ranking-chart", args=[bios.pk, "ranking", "csv"]))
    assert [line.split(",")[0] for line in answer.content.decode("utf-8-sig").splitlines()] == [
        "subject",
        "amber",
        "basalt",
    ]
    assert client.get(reverse("subject-ranking-chart", args=[bios.pk, "spread", "csv"])).status_code == 404
