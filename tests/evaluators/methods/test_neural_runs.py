"""The methods that run a model in this process, as runs: by the command and from the page."""

import json
import shutil

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from evaluators.models import Run
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate
from evaluators.runs.forms import PREFIX
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm import weights as weights_of
from llm.models import Call
from tests.factories import add_facts, make_dataset, make_person, make_response
from tests.knowledge.sources import make_source

WEIGHTS = {"np_weights": "tiny"}


@pytest.fixture
def bios(db, weights):
    """Of Ada a fact that her page has and one that it has not; of Ben, who has no page, one."""
    dataset = make_dataset("bios", scheme="factscore")
    for topic, facts in (("Ada", ["She wrote letters.", "She rode horses."]), ("Ben", ["He was born."])):
        add_facts(make_response(dataset, ["A sentence."], prompt=topic, subject="m"), [facts])
    dataset.knowledge_source = make_source(Ada="Ada was born in London. She wrote letters.")
    dataset.save()
    return dataset


def worked(dataset, method, **parameters):
    run = create_run(dataset, method, model="m" * ("retrieve" in method), parameters=parameters).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert run.state == "finished"
    return list(run.predictions.in_reading_order().values_list("value", "score"))


def test_evaluate_runs_np_to_the_end(bios, capsys):
    call_command(
        "evaluate", "bios", "factscore-np", "--param", "np_weights=tiny", "np_threshold=0.05", "--wait", "--json"
    )
    assert json.loads(capsys.readouterr().out)["predicted"] == 2
    run = Run.objects.get()
    (wrote, high), (rode, low) = run.predictions.in_reading_order().values_list("value", "score")
    assert (wrote, rode) == ("supported", "not_supported")
    assert high > 0.05 > low == 0
    assert [item.skipped for item in run.items.order_by("position")] == [{}, {"no page of the topic": 1}]
    assert not Call.objects.exists()


def test_both_methods_are_held_against_each_other(bios, model):
    alone = [score for _, score in worked(bios, "factscore-np", **WEIGHTS)]
    both = worked(bios, "factscore-retrieve-np", **WEIGHTS, np_threshold="0.05")
    # The model calls both true and is surer of them than NP is: the score is NP's.
    assert [value for value, _ in both] == ["supported", "not_supported"]
    assert [score for _, score in both] == pytest.approx(alone)


def test_entailment_is_judged_by_the_page_of_the_topic(bios):
    judged = worked(bios, "minicheck", nli_weights="nli", evidence="source", threshold="0")
    assert [value for value, _ in judged] == ["supported", "supported"]
    assert all(0 < score < 1 for _, score in judged)
    run = Run.objects.get()
    assert [item.skipped for item in run.items.order_by("position")] == [{}, {"no page of the topic": 1}]
    assert [*run.manifest["weights"]] == ["nli_weights"]


def test_a_local_model_chooses_the_passage_that_is_shown(bios, model):
    worked(bios, "factscore-retrieve", retrieval="dense-local", retrieval_weights="tiny", passages="1")
    asked = [call.request["messages"][-1]["content"] for call in Call.objects.order_by("pk")]  # none embeds
    assert "Text: She wrote letters." in asked[0]


def test_an_estimate_runs_no_model(bios, model, tmp_path, settings):
    (tmp_path / "unloadable").mkdir()
    (tmp_path / "unloadable" / "config.json").write_text("{}")
    settings.WEIGHTS_DIR = tmp_path
    names = {"np_weights": "unloadable", "retrieval": "dense-local", "retrieval_weights": "unloadable"}
    assert estimate(bios, "factscore-retrieve-np", model="m", parameters=names, limit=None).calls == 2


def test_weights_that_cannot_be_loaded_stop_the_run_and_say_so(bios, tmp_path, settings):
    (tmp_path / "unloadable").mkdir()
    (tmp_path / "unloadable" / "config.json").write_text("{}")
    settings.WEIGHTS_DIR = tmp_path
    run = create_run(bios, "factscore-np", parameters={"np_weights": "unloadable"}).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert "The weights unloadable cannot be loaded" in run.error
    assert run.state == Run.State.FAILED


@pytest.fixture
def rhea(bios):
    client = Client()
    client.force_login(make_person("rhea", bios, "researcher"))
    return client


def start(client, dataset, **parameters):
    address = f"{reverse('run-new', args=[dataset.pk])}?method=factscore-np"
    fields = {name: field.initial or "" for name, field in client.get(address).context["form"].fields.items()}
    return client.post(address, fields | {PREFIX + name: value for name, value in parameters.items()})


def test_np_is_started_from_the_page(bios, rhea):
    answer = start(rhea, bios, **WEIGHTS)
    run = Run.objects.get()
    assert answer.headers["Location"] == reverse("run", args=[run.pk])
    assert run.evaluator.parameters["np_weights"] == "tiny"


def test_the_page_says_that_the_extra_is_missing(bios, rhea, monkeypatch):
    monkeypatch.setattr(weights_of, "PACKAGES", ("a_package_that_nobody_has",))
    assert "FActScore, NP" in rhea.get(reverse("run-new", args=[bios.pk])).content.decode()
    assert escape('This needs the extra "neural"') in start(rhea, bios, **WEIGHTS).content.decode()
    assert not Run.objects.exists()


def test_the_command_says_that_the_extra_is_missing(bios, monkeypatch):
    monkeypatch.setattr(weights_of, "PACKAGES", ("a_package_that_nobody_has",))
    with pytest.raises(CommandError, match='the extra "neural", which is not installed'):
        call_command("evaluate", "bios", "factscore-np", "--param", "np_weights=tiny", "--wait")


def test_the_manifest_has_the_hash_of_the_weights_and_no_path(bios, weights):
    manifest = create_run(bios, "factscore-np", parameters=WEIGHTS).run.manifest
    assert [(name, len(content)) for name, content in manifest["weights"].items()] == [("np_weights", 64)]
    assert manifest["packages"]["torch"]
    assert str(weights) not in json.dumps(manifest)


def test_other_weights_under_the_name_are_another_run_and_end_the_one_that_began(bios, weights, tmp_path, settings):
    shutil.copytree(weights / "tiny", tmp_path / "tiny")
    settings.WEIGHTS_DIR = tmp_path
    begun = create_run(bios, "factscore-np", parameters=WEIGHTS).run
    assert not create_run(bios, "factscore-np", parameters=WEIGHTS).created

    (tmp_path / "tiny" / "model.safetensors").write_bytes(b"others")

    assert create_run(bios, "factscore-np", parameters=WEIGHTS).created
    work_on(RunJob(), begun.pk)
    begun.refresh_from_db()
    assert (begun.state, begun.error) == ("failed", "The weights have changed since the run was made: start a new one.")
