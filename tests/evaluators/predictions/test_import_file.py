"""Predictions of evaluators that ran elsewhere."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotate.models import Import
from evaluators.models import Evaluator, Prediction, Run
from evaluators.runs.create import create_run
from evaluators.runs.progress import progress_of
from tests.factories import add_facts, make_dataset, make_response


@pytest.fixture
def lab(db):
    """Two responses of two segments each, "0" and "1"."""
    dataset = make_dataset()
    make_response(dataset)
    make_response(dataset)
    return dataset


@pytest.fixture
def take_in(tmp_path):
    """Writes rows (or text as it is) to a file and imports it; what the command printed."""

    def call(*rows, evaluator="outside", dataset="lab"):
        file = tmp_path / "predictions.jsonl"
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        file.write_text("\n".join(lines) + "\n")
        output = StringIO()
        call_command("import_predictions", dataset, str(file), "--evaluator", evaluator, "--json", stdout=output)
        return json.loads(output.getvalue())

    return call


def row(index="0", segment=0, value="supported", **more):
    return {"index": index, "segment": segment, "value": value, **more}


def test_a_file_becomes_a_finished_run(lab, take_in):
    report = take_in(row(score=0.9, rationale="Known."), row(segment=1, value="not_supported"))
    run = Run.objects.get()
    assert report == {"evaluator": "outside", "run": run.pk, "created": 2, "unchanged": 0}
    assert (run.evaluator.method, run.state) == ("imported", "finished")
    stored = run.predictions.order_by("segment__position").values_list("value", "score", "rationale", "unparsed")
    assert list(stored) == [("supported", 0.9, "Known.", False), ("not_supported", None, "", False)]


def test_a_null_value_could_not_be_parsed(lab, take_in):
    take_in(row(value=None))
    assert list(Prediction.objects.values_list("value", "unparsed")) == [(None, True)]


def test_the_same_file_again_adds_nothing(lab, take_in):
    take_in(row(), row(index="1"))
    assert take_in(row(), row(index="1")) | {"run": 0} == {
        "evaluator": "outside",
        "run": 0,
        "created": 0,
        "unchanged": 2,
    }
    assert Run.objects.count() == 1
    assert len(Run.objects.get().manifest["files"]) == 1


def test_a_second_file_extends_the_run(lab, take_in):
    take_in(row())
    report = take_in(row(), row(index="1"), row(index="1", segment=1))
    assert (report["created"], report["unchanged"]) == (2, 1)
    run = Run.objects.get()
    assert (run.predictions.count(), run.items.count(), len(run.manifest["files"])) == (3, 2, 2)


def test_coverage_may_be_partial(lab, take_in):
    take_in(row())
    now = progress_of(Run.objects.get())
    assert (now.total, now.done, now.predicted, now.seconds) == (1, 1, 1, None)


def test_facts_are_addressed_by_subject_and_topic(db, take_in):
    dataset = make_dataset("bio", scheme="factscore")
    response = make_response(dataset, ["She wrote.", "Ask again."], subject="m", prompt="Ada Lovelace")
    human = add_facts(response, [["She wrote.", "She lived."], []])
    model = add_facts(response, [["She wrote letters."], ["Ask."]], origin="model")
    take_in(
        row("m/Ada Lovelace", 0, fact=1),
        row("m/Ada Lovelace", 1, "irrelevant", fact=0),  # the model's: people wrote none for this sentence
        dataset="bio",
    )
    assert {prediction.fact: prediction.value for prediction in Prediction.objects.all()} == {
        human[1]: "supported",
        model[1]: "irrelevant",
    }


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (row(index="7"), "segment 0 of response '7' is not in lab"),
        (row(segment=2), "segment 2 of response '0' is not in lab"),
        (row(fact=0), "fact 0 of segment 0 of response '0' is not in lab"),
        (row(segment=1), "this address has its prediction in line 1 already"),
        (row(value="true"), "value must be one of supported, not_supported, irrelevant, or null"),
        (row(value=["supported"]), "not a list"),
        (row(score=1.01), "score must be a probability"),
        ('{"index": "0", "segment": 0, "value": "supported", "score": NaN}', "score must be a probability"),
        (row(score=True), "score must be a probability"),
        (row(segment=-1), "counts from 0"),
        (row(segment="0"), "counts from 0"),
        (row(rationale=3), "rationale must be text"),
        (row(rationale="\x00"), "NUL"),
        (row(label="S"), "unknown key 'label'"),
        ({"index": "0", "segment": 0}, "the key 'value' is missing"),
        ("not JSON", "not JSON"),
    ],
)
def test_an_error_names_its_line_and_nothing_is_written(lab, take_in, line, cause):
    with pytest.raises(CommandError, match=cause) as failure:
        take_in(row(segment=1), line)
    assert "predictions.jsonl, line 2: " in str(failure.value)
    assert not Evaluator.objects.exists()
    assert not Prediction.objects.exists()


def test_another_prediction_at_the_same_address_is_an_error(lab, take_in):
    take_in(row(), row(segment=1))
    with pytest.raises(CommandError, match="line 2: outside has another prediction here already"):
        take_in(row(index="1"), row(segment=1, value="irrelevant"))
    assert Prediction.objects.count() == 2


def test_an_evaluator_that_runs_here_takes_no_file(lab, take_in):
    create_run(lab, "random")
    with pytest.raises(CommandError, match="'random' exists with another method"):
        take_in(row(), evaluator="random")


def test_responses_of_an_unfinished_import_are_unknown(lab, take_in):
    Import.objects.update(finished_at=None)
    with pytest.raises(CommandError, match="is not in lab"):
        take_in(row())


def test_a_dataset_that_is_not_there_is_named(db, take_in):
    with pytest.raises(CommandError, match="no dataset 'lab'"):
        take_in(row())


def test_one_evaluator_has_a_run_in_each_dataset(lab, take_in):
    make_response(make_dataset("other"))
    take_in(row())
    take_in(row(), dataset="other")
    assert Evaluator.objects.get().runs.count() == 2
