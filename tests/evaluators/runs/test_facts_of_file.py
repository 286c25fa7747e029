"""facts=file: the model's facts that a dataset's file came with are judged, whatever people made of them."""

import json

import pytest

from annotate.corpus.importing import import_file
from annotate.models import Dataset, FactSet
from evaluators.bundle.export import export_results
from evaluators.bundle.take_in import import_results
from evaluators.comparison.report import build_report
from evaluators.reproduction.measure import scratch_database
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on

pytestmark = pytest.mark.django_db


def facts(*texts, label=None):
    return [{"text": text, **({"label": label} if label else {})} for text in texts]


def write_lives(folder):
    """Of Ada two facts of a model, of which people made one; her second sentence is irrelevant. Nobody annotated Ben's
    response."""
    one = {
        "text": "She wrote and she drew.",
        "is-relevant": True,
        "model-atomic-facts": facts("She wrote.", "She was wrong."),
        "human-atomic-facts": facts("She wrote and drew.", label="S"),
    }
    other = {
        "text": "Ask me more.",
        "is-relevant": False,
        "model-atomic-facts": facts("You can ask."),
        "human-atomic-facts": None,
    }
    ada = {"input": "Question: Tell me a bio of Ada.", "output": "She wrote and she drew. Ask me more.", "topic": "Ada"}
    ben = {"input": "Question: Tell me a bio of Ben.", "output": "He sang.", "topic": "Ben"}
    path = folder / "m.jsonl"
    cat = {"cat": ["rare", "Europe"]}
    rows = [{**ada, **cat, "annotations": [one, other]}, {**ben, **cat, "annotations": None}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def lives(tmp_path):
    import_file(write_lives(tmp_path), "lives", "factscore", "m")
    return Dataset.objects.get(name="lives")


def judged(dataset):
    run = create_run(dataset, "factscore-no-context", model="m", parameters={"facts": "file"}).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert run.state == "finished", run.error
    return run


def said(run):
    return list(run.predictions.in_reading_order().values_list("fact__text", "value"))


def test_the_files_facts_are_judged_and_those_of_people_are_not(lives, model):
    run = judged(lives)
    assert said(run) == [
        ("She wrote.", "supported"),
        ("She was wrong.", "not_supported"),
        ("You can ask.", "supported"),
    ]
    assert [item.response.prompt.topic for item in run.items.all()] == ["Ada"]  # Ben's has none


def test_its_score_is_of_these_facts(lives, model):
    judged(lives)
    entry = build_report(lives)["evaluators"][-1]
    [row] = entry["subjects"]
    # Two of three are supported; in gold the human fact is, and the fact of the irrelevant sentence is not: 1 of 2.
    assert (entry["facts"], row["estimated"], row["factscore"]) == ("file", pytest.approx(2 / 3), 0.5)


def test_elsewhere_it_has_the_same_predictions_of_the_same_facts(lives, model, tmp_path):
    judged(lives)
    export_results(lives, tmp_path / "r.zip")
    estimated = build_report(lives)["evaluators"][-1]["subjects"]
    with scratch_database():
        import_file(write_lives(tmp_path), "lives", "factscore", "m")
        here = Dataset.objects.get(name="lives")
        assert import_results(here, tmp_path / "r.zip").differences == []
        assert build_report(here)["evaluators"][-1]["subjects"] == estimated
        assert [text for text, _ in said(here.runs.get())] == ["She wrote.", "She was wrong.", "You can ask."]


def test_facts_that_a_model_proposed_here_are_none_of_the_files(lives):
    FactSet.objects.filter(origin="model").update(model="m")
    with pytest.raises(RunError, match="no response to evaluate"):
        create_run(lives, "factscore-no-context", model="m", parameters={"facts": "file"})
