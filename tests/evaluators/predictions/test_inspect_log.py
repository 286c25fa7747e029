"""A dataset as samples of inspect_ai, and an eval log of the real package as a run."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from core.errors import DataError
from evaluators.comparison.report import build_report
from evaluators.models import Prediction, Run
from evaluators.predictions.import_file import import_inspect_log
from evaluators.predictions.inspect_log import InspectReader
from evaluators.predictions.prices import describe_spending
from tests.evaluators.bundle.lab import make_lab

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(tmp_path):
    """Six responses of two segments; the second of the 2nd, 4th and 6th is an error."""
    return make_lab(tmp_path)


def exported(folder: Path) -> Path:
    path = folder / "samples.jsonl"
    call_command("export_dataset", "numbers", "--format", "inspect", "--output", str(path))
    return path


def edited(folder: Path, value: object, **sample: object) -> Path:
    """A log with one sample, r0, of two units."""
    told = {"units": [{"segment": place, "fact": None} for place in range(2)]}
    path = folder / "log.json"
    scored = {"id": "r0", "epoch": 1, "metadata": told, "scores": {"units": {"value": value}}, **sample}
    path.write_text(json.dumps({"eval": {"model": "m"}, "samples": [scored]}), encoding="utf-8")
    return path


def evaluated(folder: Path, answers: list[str], usage: dict[str, float], **how: object) -> Path:
    """The log of an eval over the first samples: the model answers one word a unit, and each is a score.

    usage: of each answer; without one inspect_ai counts with a table that it fetches."""
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import json_dataset
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import Score, accuracy, scorer

    @scorer(metrics=[accuracy()])
    def units():
        async def score(state, target):
            return Score(value=state.output.completion.split(), explanation="As the model says.")

        return score

    outputs = [ModelOutput.from_content("mockllm/model", answer) for answer in answers]
    for output in outputs:
        output.usage = ModelUsage(**usage)
    task = Task(dataset=json_dataset(str(exported(folder)))[: len(answers)], scorer=units())
    model = get_model("mockllm/model", custom_outputs=outputs)
    [log] = evaluate(task, model=model, log_dir=str(folder / "logs"), display="none", **how)
    assert log.status == "success"
    return Path(log.location)


def test_samples_are_read_by_the_real_package(dataset, tmp_path) -> None:
    from inspect_ai.dataset import json_dataset

    samples = json_dataset(str(exported(tmp_path)))
    assert len(samples) == 6
    sample = samples[1]
    assert sample.id == "r1"
    assert sample.target == ["supported", "not_supported"]
    assert sample.metadata["units"][1] == {"segment": 1, "fact": None, "text": "Two is odd.", "gold": "not_supported"}
    assert "2. Two is odd." in sample.input


@pytest.mark.parametrize("log_format", ["json", "eval"])
def test_the_log_of_an_eval_becomes_a_run_with_its_model_its_spending_and_its_f1(dataset, tmp_path, log_format) -> None:
    answers = ["supported not_supported"] * 2 + ["supported supported"] * 4
    usage = {"input_tokens": 10, "output_tokens": 3, "total_tokens": 13, "total_cost": 0.5}
    log = evaluated(tmp_path, answers, usage, log_format=log_format, max_samples=1, max_connections=1, temperature=0.5)
    assert log.suffix == f".{log_format}"

    call_command("import_predictions", "numbers", str(log), "--evaluator", "judge", "--format", "inspect")

    run = Run.objects.get()
    assert (run.evaluator.model, run.evaluator.parameters["scorer"]) == ("mockllm/model", "units")
    assert run.evaluator.parameters["temperature"] == 0.5
    assert run.predictions.count() == 12
    assert run.predictions.filter(rationale="As the model says.").count() == 12
    told = {"tokens": 6 * 13, "cost_usd": 6 * 0.5, "known_usd": 6 * 0.5, "unpriced": [], "seconds": None}
    assert describe_spending([run])[run.pk] == told
    [entry] = [each for each in build_report(dataset)["evaluators"] if each["evaluator"] == "judge"]
    # Errors found: that of r1. Called one without being one: that of r0. Missed: those of r3 and r5.
    assert entry["results"][0]["level"] == "segment"
    assert entry["results"][0]["f1"] == pytest.approx(2 * 1 / (2 * 1 + 1 + 2))


def test_a_score_by_unit_leaves_the_others_without_a_prediction(dataset, tmp_path) -> None:
    import_inspect_log(dataset, edited(tmp_path, {"1": "not_supported"}), "judge", InspectReader())
    [prediction] = Prediction.objects.select_related("segment__response")
    assert (prediction.segment.response.index, prediction.segment.position) == ("r0", 1)


def test_scores_are_mapped_and_a_missing_one_is_not_parsed(dataset, tmp_path) -> None:
    reader = InspectReader(values={"1": "supported"})
    import_inspect_log(dataset, edited(tmp_path, [1.0, float("nan")]), "judge", reader)
    assert list(Prediction.objects.order_by("pk").values_list("value", "unparsed")) == [
        ("supported", False),
        (None, True),
    ]


def test_the_same_log_again_adds_nothing(dataset, tmp_path) -> None:
    path = edited(tmp_path, ["supported", "supported"])
    import_inspect_log(dataset, path, "judge", InspectReader())
    again = import_inspect_log(dataset, path, "judge", InspectReader())
    assert (again.created, again.unchanged, len(again.run.manifest["inspect"]["logs"])) == (0, 2, 1)


@pytest.mark.parametrize(
    ("value", "cause"),
    [
        (["supported", "C"], "sample 1: r0: the score 'C' is none of supported, not_supported, irrelevant"),
        (["supported"], "sample 1: r0: the score has 1 values, the sample 2 units"),
        ({"2": "supported"}, "sample 1: r0: the score names '2'; the units are 0 to 1"),
    ],
)
def test_a_score_that_is_no_prediction_names_its_sample(dataset, tmp_path, value, cause) -> None:
    with pytest.raises(DataError, match=cause):
        import_inspect_log(dataset, edited(tmp_path, value), "judge", InspectReader())
    assert not Run.objects.exists()


def test_a_sample_of_another_dataset_is_named(dataset, tmp_path) -> None:
    path = edited(tmp_path, ["supported", "supported"], id="r77")
    with pytest.raises(DataError, match="segment 0 of response 'r77' is not in numbers"):
        import_inspect_log(dataset, path, "judge", InspectReader())


def test_a_file_that_is_no_log_is_refused(dataset, tmp_path) -> None:
    path = tmp_path / "other.json"
    path.write_text("[1]", encoding="utf-8")
    with pytest.raises(CommandError, match=r"other\.json: it is no eval log of inspect_ai"):
        call_command("import_predictions", "numbers", str(path), "--evaluator", "judge", "--format", "inspect")


def test_a_log_that_is_cut_off_or_spoilt_is_refused(dataset, tmp_path) -> None:
    whole = evaluated(tmp_path, ["supported supported"], {}, log_format="eval").read_bytes()
    path = tmp_path / "log.eval"
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"log\.eval: a broken zip"):
        import_inspect_log(dataset, path, "judge", InspectReader())
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        [sample] = [entry for entry in archive.infolist() if entry.filename.startswith("samples/")]
    # In the middle of the packed sample.
    spoilt = bytearray(whole)
    place = sample.header_offset + sample.compress_size // 2
    spoilt[place : place + 50] = b"x" * 50
    path.write_bytes(spoilt)
    with pytest.raises(DataError, match=r"log\.eval: samples/r0_epoch_1\.json in it is broken"):
        import_inspect_log(dataset, path, "judge", InspectReader())
    assert not Run.objects.exists()


def test_the_log_of_an_eval_that_has_not_ended_is_refused(dataset, tmp_path) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_journal/start.json", "{}")
    with pytest.raises(DataError, match=r"log\.eval: the eval has not ended"):
        import_inspect_log(dataset, path, "judge", InspectReader())
