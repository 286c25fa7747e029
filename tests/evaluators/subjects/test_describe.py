"""Subject models scored by an evaluator's run, through the command."""

import json

import pytest
from django.core.management import CommandError, call_command

from evaluators.comparison.report import build_report
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from tests.factories import add_facts, add_gold, make_dataset, make_response

OWN = {"facts": "generated", "demonstrations": "0"}


@pytest.fixture
def bios(db):
    """Two subject models, nothing labelled: of m's four facts one is wrong, of n's two one; n abstains of Ben."""
    dataset = make_dataset(scheme="factscore")
    ada = make_response(dataset, ["She wrote and she drew."], prompt="Ada", subject="m").prompt
    ben = make_response(dataset, ["He sang and he was wrong."], prompt="Ben", subject="m").prompt
    make_response(dataset, ["She wrote and she was wrong."], prompt=ada, subject="n")
    make_response(dataset, ["I'm sorry, I know nobody of that name."], prompt=ben, subject="n")
    return dataset


def work(dataset, method="factscore-no-context", model="m", **options):
    run = create_run(dataset, method, model=model, **options).run
    work_on(RunJob(), run.pk)
    return run


def score(capsys, *options):
    capsys.readouterr()
    call_command("score_subjects", "lab", "--json", *options)
    return json.loads(capsys.readouterr().out)


def test_subjects_are_scored_end_to_end_without_a_label(bios, model, capsys):
    work(bios, parameters=OWN)
    [evaluator] = score(capsys)["evaluators"]
    rows = {row["subject"]: row for row in evaluator["subjects"]}
    assert evaluator["facts"] == "generated"
    # m: (2/2 + 1/2) / 2; n: 1/2 of Ada alone.
    assert {name: row["estimated"] for name, row in rows.items()} == {"m": 0.75, "n": 0.5}
    assert {name: row["responding"] for name, row in rows.items()} == {"m": 1.0, "n": 0.5}
    assert {name: row["facts_per_response"] for name, row in rows.items()} == {"m": 2.0, "n": 2.0}
    assert evaluator["common_prompts"] == {"n": 1, "estimated": {"m": 1.0, "n": 0.5}}


def test_the_rules_of_abstention_change_who_responds(bios, model, capsys):
    work(bios, parameters={**OWN, "abstain_apology": "false"})
    rows = {row["subject"]: row for row in score(capsys)["evaluators"][0]["subjects"]}
    # The apology is one fact now, and nothing in it is wrong: (1/2 + 1/1) / 2.
    assert (rows["n"]["responding"], rows["n"]["estimated"]) == (1.0, 0.75)


@pytest.mark.parametrize(("rule", "responding"), [("true", 0.0), ("false", 1.0)])
def test_a_response_without_any_fact_abstains_unless_that_rule_is_off(bios, model, capsys, rule, responding):
    model.control(answer="none")
    work(bios, parameters={**OWN, "abstain_no_fact": rule}, limit=2)
    [row] = score(capsys)["evaluators"][0]["subjects"]
    # No fact, no score, whoever responds.
    assert (row["responding"], row["estimated"]) == (responding, None)


def test_judged_facts_are_scored_as_well(bios, capsys):
    for response in bios.responses.exclude(index="n/Ben"):
        add_facts(response, [["One.", "Two."]], origin="model")
    work(bios, "always-supported", model="")
    [evaluator] = score(capsys)["evaluators"]
    assert evaluator["facts"] == "judged"
    assert [(row["subject"], row["estimated"], row["responding"]) for row in evaluator["subjects"]] == [
        ("m", 1.0, 1.0),
        ("n", 1.0, 0.5),
    ]


def test_a_response_that_failed_is_unjudged_and_no_abstention(bios, model, capsys):
    model.control(fail_first=1, fail_status=400)
    work(bios, parameters={**OWN, "in_flight": "1"})
    rows = score(capsys)["evaluators"][0]["subjects"]
    assert sum(row["unjudged"] for row in rows) == 1


def test_a_run_over_the_first_responses_covers_no_more(bios, model, capsys):
    work(bios, parameters=OWN, limit=2)
    [row] = score(capsys)["evaluators"][0]["subjects"]
    assert (row["subject"], row["prompts"]) == ("m", 2)


def test_two_evaluators_are_correlated_over_subjects(bios, model, capsys):
    work(bios, parameters=OWN)
    work(bios, parameters=OWN, name="twin")
    assert score(capsys)["correlations"] == [
        {"evaluators": ["factscore-no-context · m", "twin"], "subjects": 2, "r": None}
    ]
    assert score(capsys, "--evaluator", "twin")["correlations"] == []


def test_the_table_is_for_reading(bios, model, capsys):
    work(bios, parameters=OWN)
    capsys.readouterr()
    call_command("score_subjects", "lab", "--length-penalty")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "factscore-no-context · m (generated facts)"
    # Two facts each: e^(1 − 10/2) times the score. One prompt alone has a score of n, so that the order stays open.
    assert lines[2].split()[:3] == ["1–2", "m", "0.014"]


@pytest.mark.parametrize(
    ("scheme", "options", "cause"),
    [
        ("factscore", ["--evaluator", "nobody"], "lab has no finished run of an evaluator 'nobody'"),
        ("felm", [], "lab is a felm dataset: only facts give a FActScore"),
    ],
)
def test_what_cannot_be_scored_is_said(db, scheme, options, cause):
    make_dataset(scheme=scheme)
    with pytest.raises(CommandError, match=cause):
        call_command("score_subjects", "lab", *options)


def test_beside_gold_the_estimate_is_that_of_the_facts_of_its_own(bios, model):
    # Gold has one fact of m's Ada and calls it an error; the run's own two are supported.
    ada = bios.responses.get(index="m/Ada")
    [fact] = add_facts(ada, [["She wrote in 1843."]])
    add_gold(fact, "not_supported")
    work(bios, parameters=OWN)
    entry = build_report(bios)["evaluators"][-1]
    [m] = [row for row in entry["subjects"] if row["subject"] == "m"]
    assert entry["facts"] == "generated"
    assert (m["factscore"], m["estimated"], m["responses"], m["over_called"]) == (0.0, 1.0, 1, None)
    # None of gold's facts was judged.
    assert entry["results"][0]["coverage"] == 0.0
