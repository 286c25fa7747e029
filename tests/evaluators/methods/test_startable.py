"""Every registered method can be started: from the page of a new run and from `evaluate`."""

import json

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from evaluators.methods import METHODS
from evaluators.methods.base import FACTS, GUIDELINES
from evaluators.models import Run
from evaluators.runs.forms import PREFIX
from tests.evaluators.methods.test_contract import NEEDED, make_ready
from tests.factories import add_facts, make_dataset, make_person, make_response
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db


@pytest.fixture(params=METHODS.values(), ids=lambda method: method.name)
def method(request):
    return make_ready(request)


@pytest.fixture
def lab(method):
    """One response that the method can judge: segments, or facts where it judges nothing else."""
    dataset = make_dataset(scheme=method.schemes[0])
    response = make_response(dataset, ["She wrote."], domain="wk", subject="m" if dataset.scheme == FACTS else "")
    if dataset.scheme == FACTS:
        add_facts(response, [["She wrote."]])
    if GUIDELINES in method.parameters:
        dataset.guidelines.create(version=1, text="A year that is wrong is an error.")
    if method.needs_source or method.needs_search:
        dataset.knowledge_source = make_source(Ada="She wrote.")
        dataset.save()
    return dataset


def needed_by(method):
    """The knowledge source stands for the web."""
    return NEEDED.get(method.name, {}) | ({"search": "corpus"} if method.needs_search else {})


def test_it_is_started_from_the_page(method, lab, model):
    client = Client()
    client.force_login(make_person("rhea", lab, "researcher"))
    address = reverse("run-new", args=[lab.pk])
    assert f"?method={method.name}" in client.get(f"{address}?methods=all").content.decode()
    form = client.get(f"{address}?method={method.name}").context["form"]
    fields = {name: field.initial or "" for name, field in form.fields.items()}
    assert {PREFIX + parameter.name for parameter in method.parameters} <= fields.keys()

    needed = {PREFIX + name: value for name, value in needed_by(method).items()}
    answer = client.post(f"{address}?method={method.name}", fields | needed | {"model": "m" * method.needs_model})

    run = Run.objects.get()
    assert answer.headers["Location"] == reverse("run", args=[run.pk])
    assert run.evaluator.method == method.name


def test_it_is_run_by_the_command(method, lab, model, capsys):
    options = [f"--model={'m' * method.needs_model}", "--wait", "--json"]
    needed = [f"{name}={value}" for name, value in needed_by(method).items()]
    capsys.readouterr()
    call_command("evaluate", "lab", method.name, *options, *(["--param", *needed] if needed else []))
    assert json.loads(capsys.readouterr().out)["state"] == "finished"
