"""Predictions of evaluators that ran elsewhere."""

import json
from io import StringIO

import pyarrow
import pyarrow.parquet
import pytest
from django.core.management import CommandError, call_command

from annotate.models import Import
from core.errors import FaultsError
from evaluators.models import Evaluator, Prediction, Run
from evaluators.predictions.import_file import import_predictions
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
    assert report == {"evaluator": "outside", "run": run.pk, "created": 2, "unchanged": 0, "left_out": 0}
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
        "left_out": 0,
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
        (row(value="true"), "value must be one of supported, not_supported, irrelevant, not_enough_evidence, or null"),
        (row(value=["supported"]), "not a list"),
        (row(score=1.01), "score must be a probability"),
        ('{"index": "0", "segment": 0, "value": "supported", "score": NaN}', "score must be a probability"),
        (row(score=True), "score must be a probability"),
        (row(segment=-1), "counts from 0"),
        (row(segment="0"), "counts from 0"),
        (row(rationale=3), "rationale must be text"),
        (row(rationale="\x00"), "NUL"),
        (row(score="high"), "score is no number"),
        (row(score="110%"), "score must be a probability"),
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


def test_a_row_names_its_unit_by_its_text(lab, take_in):
    make_response(lab, ["Three is odd.", "Three  is\nodd."], index="twice")
    make_response(lab, ["Nine is odd.", "Four is odd."], index="own")
    by_text = {"text": "Nine is  odd.", "value": "supported"}
    take_in(by_text, {"index": "0", "text": "Two is odd.", "value": "not_supported"})
    found = Prediction.objects.values_list("segment__response__index", "segment__position", "value")
    assert set(found) == {("own", 0, "supported"), ("0", 1, "not_supported")}


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ({"text": "Six is odd.", "value": "supported"}, "no unit of lab has this text"),
        ({"text": "One is odd.", "value": "supported"}, "2 units of lab have this text: name the segment"),
        ({"index": "1", "text": "Six is odd.", "value": "supported"}, "no unit of response '1' of lab has this text"),
        (row(text="Two is odd."), "segment 0 of response '0' has another text in lab"),
        (row(segment=1, text="Two is odd."), "this address has its prediction in line 1 already"),
    ],
)
def test_a_text_that_does_not_align_is_an_error(lab, take_in, line, cause):
    with pytest.raises(CommandError, match=cause):
        take_in({"index": "0", "text": "Two is odd.", "value": "supported"}, line)
    assert not Prediction.objects.exists()


def test_a_fact_is_found_by_its_text(db, take_in):
    response = make_response(make_dataset("bio", scheme="factscore"), ["She wrote."], subject="m")
    _, fact = add_facts(response, [["She wrote.", "She lived."]])
    take_in({"text": "She lived.", "value": "supported"}, dataset="bio")
    assert Prediction.objects.get().fact == fact


TRUE_FALSE = 'index,segment,fact,value,score,latency\n0,0,,True,0.9,1\n0,1,,False,"0,2",1\n1,0,,Supported,90%,1\n'


def import_table(path, text, *options):
    path.write_text(text)
    output, errors = StringIO(), StringIO()
    call_command("import_predictions", "lab", str(path), "--evaluator", "P", *options, stdout=output, stderr=errors)
    return output.getvalue(), errors.getvalue()


@pytest.mark.parametrize(
    "names", [("True=supported", "False=not_supported"), ("true=supported", "FALSE=not_supported")]
)
def test_values_and_scores_of_another_program_are_read(lab, tmp_path, names):
    options = [each for name in names for each in ("--value", name)]
    output, errors = import_table(tmp_path / "p.csv", TRUE_FALSE, *options)
    assert output.startswith("P: 3 predictions created")
    assert "Passed over, as predictions have no such key: 'latency' (3 rows)." in errors
    stored = Prediction.objects.order_by("segment__response", "segment__position").values_list("value", "score")
    assert list(stored) == [("supported", 0.9), ("not_supported", 0.2), ("supported", 0.9)]


def test_one_of_the_values_that_are_named_may_be_absent(lab, tmp_path):
    import_table(
        tmp_path / "p.jsonl", json.dumps(row(value="C")), "--value", "C=supported", "--value", "I=not_supported"
    )
    assert Prediction.objects.get().value == "supported"


@pytest.mark.parametrize(("value", "said"), [(True, "True"), (1, "1"), (1.0, "1"), ("S", "s"), ("1.0", "1")])
def test_a_value_in_json_has_a_name_too(lab, tmp_path, value, said):
    import_table(tmp_path / "p.jsonl", json.dumps(row(value=value)), "--value", f"{said}=not_supported")
    assert Prediction.objects.get().value == "not_supported"


@pytest.mark.parametrize(
    ("value", "score", "stored"),
    [
        ("Not supported.", "90 %", ("not_supported", 0.9)),
        ("not-supported", ".5", ("not_supported", 0.5)),
        ("SUPPORTED", "nan", ("supported", None)),
        ("supported", "-", ("supported", None)),
        ("nan", "", (None, None)),
        ("unparsed", "n/a", (None, None)),
        ("None", "null", (None, None)),
    ],
)
def test_values_and_scores_are_read_as_other_programs_write_them(lab, tmp_path, value, score, stored):
    import_table(tmp_path / "p.jsonl", json.dumps(row(value=value, score=score)))
    assert Prediction.objects.values_list("value", "score").get() == stored


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (("--value", "Yes=supported"), "Yes=supported changes nothing: no row has the value 'Yes'"),
        (("--scorer", "s"), "--scorer changes nothing with --format predictions"),
        (("--epoch", "2"), "--epoch changes nothing"),
        (("--format", "inspect", "--partial"), "--partial changes nothing with --format inspect"),
    ],
)
def test_an_option_that_changes_nothing_is_refused(lab, tmp_path, options, cause):
    with pytest.raises(CommandError, match=cause):
        import_table(tmp_path / "p.jsonl", json.dumps(row()), *options)
    assert not Prediction.objects.exists()


@pytest.mark.parametrize("value", ["Not supported", "NOT_SUPPORTED", "not-supported "])
def test_our_values_are_read_in_any_case(lab, take_in, value):
    take_in(row(value=value))
    assert Prediction.objects.get().value == "not_supported"


def test_every_fault_is_listed(lab, take_in):
    with pytest.raises(CommandError, match=r"line 2: segment 7 .* is not in lab; line 3: rationale must be text"):
        take_in(row(), row(segment=7), row(index="1", rationale=3))


def import_partly(lab, tmp_path, *rows):
    file = tmp_path / "some.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in rows))
    return import_predictions(lab, file, "outside", partial=True)


def test_rows_that_cannot_be_stored_are_left_out_on_demand(lab, tmp_path):
    import_partly(lab, tmp_path, row())
    imported = import_partly(
        lab, tmp_path, row(), row(value="irrelevant"), row(segment=7), row(value="?"), row(index="1")
    )
    assert (imported.created, imported.unchanged) == (1, 1)
    assert [number for number, _ in imported.left_out] == [2, 3, 4]
    assert Prediction.objects.filter(value="supported").count() == 2


def test_a_file_of_which_nothing_can_be_stored_is_an_error(lab, tmp_path):
    with pytest.raises(FaultsError, match="segment 7"):
        import_partly(lab, tmp_path, row(segment=7))
    assert not Run.objects.exists()


def test_a_score_may_have_a_decimal_comma(lab, tmp_path):
    csv = tmp_path / "p.csv"
    csv.write_text("index;segment;value;score\n0;0;supported;0,75\n0;1;supported;1\n")
    import_predictions(lab, csv, "by csv")
    assert set(Prediction.objects.values_list("score", flat=True)) == {0.75, 1.0}


def test_csv_and_parquet_say_the_same(lab, tmp_path):
    csv = tmp_path / "p.csv"
    csv.write_text("index,segment,fact,value,score,rationale\n0,0,,supported,0.9,Known.\n0,1,,,,\n")
    assert import_predictions(lab, csv, "by csv").created == 2
    table = {
        "index": ["0", "0"],
        "segment": [0.0, 1.0],  # as pandas writes a column with gaps
        "fact": [float("nan"), None],
        "value": ["supported", None],
        "score": [0.9, float("nan")],
        "rationale": ["Known.", None],
    }
    parquet = tmp_path / "p.parquet"
    pyarrow.parquet.write_table(pyarrow.table(table), parquet)
    assert import_predictions(lab, parquet, "by parquet").created == 2
    for name in ("by csv", "by parquet"):
        stored = Prediction.objects.filter(run__evaluator__name=name).order_by("segment__position")
        assert list(stored.values_list("value", "score", "rationale", "unparsed")) == [
            ("supported", 0.9, "Known.", False),
            (None, None, "", True),
        ]


def test_a_cell_that_is_no_number_is_an_error(lab, tmp_path):
    csv = tmp_path / "p.csv"
    csv.write_text("index,segment,value\n0,first,supported\n")
    with pytest.raises(FaultsError, match="row 2: segment is no number"):
        import_predictions(lab, csv, "by csv")
