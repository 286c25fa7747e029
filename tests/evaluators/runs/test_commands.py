"""evaluate and resume_runs on the command line."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluators.models import Run
from evaluators.runs.create import create_run


def call(*words):
    output = StringIO()
    call_command(*words, "--json", stdout=output, stderr=StringIO())
    return json.loads(output.getvalue())


def test_evaluate_waits_for_the_end(lab):
    run = call("evaluate", "lab", "random", "--wait")
    assert run == {
        "evaluator": "random",
        "run": Run.objects.get().pk,
        "state": "finished",
        "predicted": 6,
        "unparsed": 0,
        "refused": 0,
        "cut_off": 0,
        "failed": 0,
    }


def test_evaluate_queues_without_waiting(lab):
    assert call("evaluate", "lab", "random")["state"] == "queued"


def test_parameters_may_repeat_and_come_several_at_once(lab, model):
    words = ["evaluate", "lab", "felm-segment", "--model", "m"]
    call(*words, "--param", "in_flight=2", "samples=3", "--param", "temperature=0.5")
    parameters = Run.objects.get().evaluator.parameters
    assert (parameters["in_flight"], parameters["samples"], parameters["temperature"]) == (2, 3, 0.5)


def test_an_unparsed_answer_is_counted_as_such(lab, model):
    model.control(answer="I would rather not say.")
    output = StringIO()
    words = ["evaluate", "lab", "felm-segment", "--model", "m", "--wait", "--json"]
    with pytest.raises(CommandError, match="Nothing could be read: 6 of 6 units"):
        call_command(*words, stdout=output, stderr=StringIO())
    report = json.loads(output.getvalue())
    assert (report["state"], report["predicted"], report["unparsed"]) == ("failed", 0, 6)


def test_units_left_out_are_told_with_their_reason(lab):
    output = StringIO()
    call_command("evaluate", "lab", "selfcheck-ngram", "--wait", stdout=output)
    assert output.getvalue().endswith("Left out, no other sample: 6 units.\n")


def test_a_failed_run_is_reported_and_exits_with_1(lab, model):
    model.control(fail_first=99, fail_status=401, fail_text="bad key")
    output = StringIO()
    with pytest.raises(CommandError, match="answered 401") as failure:
        call_command(
            "evaluate", "lab", "felm-segment", "--model", "m", "--wait", "--json", stdout=output, stderr=StringIO()
        )
    assert failure.value.returncode == 1
    assert json.loads(output.getvalue())["state"] == "failed"


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (["nowhere", "random"], "no dataset 'nowhere'"),
        (["lab", "oracle"], "no method 'oracle'"),
        (["lab", "random", "--param", "seed"], "'seed' is not a parameter"),
        (["lab", "random", "--param", "seed=1", "seed=2"], "given twice"),
        (["lab", "random", "--param", "seed=-1"], "seed is '-1'"),
    ],
)
def test_data_errors_are_one_sentence(lab, words, cause):
    with pytest.raises(CommandError, match=cause) as failure:
        call("evaluate", *words)
    assert "\n" not in str(failure.value)
    assert not Run.objects.exists()


def test_the_methods_are_listed_with_their_parameters(db):
    methods = {each["method"]: each["parameters"] for each in call("evaluate", "--methods")}
    assert {"always-supported", "always-not-supported", "random", "lexical", "felm-segment"} <= set(methods)
    assert {"in_flight", "temperature", "max_tokens", "samples", "profile", "prompts"} <= set(methods["felm-segment"])
    assert methods["always-supported"] == {}


def test_resume_runs_queues_what_was_left(run):
    assert call("resume_runs") == {"resumed": [run.pk]}
    assert call("resume_runs") == {"resumed": []}


def test_resume_runs_takes_up_the_run_that_is_named(run):
    run.stop()
    assert call("resume_runs") == {"resumed": []}
    assert call("resume_runs", str(run.pk)) == {"resumed": [run.pk]}
    run.refresh_from_db()
    assert run.state == "queued"


def test_resume_runs_names_a_run_that_is_not_there(run):
    with pytest.raises(CommandError, match="no run 999"):
        call("resume_runs", str(run.pk), "999")


def test_evaluate_again_resumes_nothing_and_says_what_is_there(lab):
    run = create_run(lab, "random").run
    assert call("evaluate", "lab", "random", "--wait")["run"] == run.pk
