"""The form of a new run: five fields, and the rest under "Advanced"."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset, EndpointGrant, Role
from evaluators.methods import EDITORS, METHODS
from evaluators.models import Run
from evaluators.runs.create import create_run
from evaluators.runs.repeats import ask_anew_query
from llm.models import Capabilities, Endpoint
from tests.factories import make_dataset, make_person, make_response
from tests.pages import squeezed
from tests.services.conftest import free_port

FIVE = ["parameter-endpoint", "model", "method", "name", "max_cost"]


@pytest.fixture
def rhea(lab: Dataset) -> Client:
    client = Client()
    client.force_login(make_person("rhea", lab, Role.RESEARCHER))
    return client


def page_of(client, dataset, query="", name="run-new"):
    answer = client.get(reverse(name, args=[dataset.pk]) + query)
    assert answer.status_code == 200
    return squeezed(answer.text)


def fields_of(page):
    """The names of the fields, and those of them that are folded."""
    form = page[page.index('id="new-run"') :]
    before, _, folded = form.partition('<details class="advanced"')
    return [name for name in names_in(before) if name != "csrfmiddlewaretoken"], names_in(folded)


def names_in(form):
    return re.findall(r'<(?:input|select|textarea)[^>]*? name="([^"]+)"', form)


def test_five_fields_are_shown_and_the_rest_is_folded(lab, rhea, model):
    shown, folded = fields_of(page_of(rhea, lab, "?method=felm-segment"))
    assert shown == FIVE
    assert {"parameter-temperature", "parameter-profile", "limit", "max_tokens_total", "force"} <= set(folded)


def test_before_a_method_is_chosen_the_five_are_there_too(lab, rhea, model):
    page = page_of(rhea, lab)
    assert fields_of(page) == (FIVE, [])
    assert "Choose a method</option>" in page
    answer = rhea.post(reverse("run-new", args=[lab.pk]), {"model": "m"})
    assert "Choose a method." in answer.text
    assert not Run.objects.exists()


def test_a_method_without_a_model_asks_for_none(lab, rhea, model):
    shown, folded = fields_of(page_of(rhea, lab, "?method=random"))
    assert shown == ["method", "name"]
    assert folded == ["parameter-seed", "limit", "force"]


def test_no_label_of_a_parameter_is_in_snake_case(lab, rhea, model):
    for method in ("felm-segment-doc", "felm-self-consistency"):
        page = page_of(rhea, lab, f"?method={method}")
        labels = re.findall(r"<label[^>]*>([^<]*)</label>", page)
        assert "Longest answer, in tokens" in labels
        assert not [label for label in labels if "_" in label]


def test_every_parameter_of_a_method_has_a_label():
    for method in (METHODS | EDITORS).values():
        assert [each.name for each in method.parameters if not each.label] == []


@pytest.mark.parametrize(
    ("scheme", "method", "code"),
    [("felm", "felm-segment", "as FELM's code"), ("factscore", "factscore-no-context", "as FActScore's code")],
)
def test_profiles_are_called_by_what_they_follow(db, model, scheme, method, code):
    dataset = make_dataset(scheme=scheme)
    client = Client()
    client.force_login(make_person("rhea", dataset, Role.RESEARCHER))
    page = page_of(client, dataset, f"?method={method}").replace("&#x27;", "'")
    profile = page[page.index(">Answer parsing</label>") :]
    assert re.findall(r'<option value="([^"]+)"[^>]*>([^<]+)</option>', profile)[:3] == [
        ("repaired", "tolerant"),
        ("released-code", code),
        ("paper", "as the paper"),
    ]


# Endpoint and model


def test_the_address_of_each_endpoint_is_shown(lab, rhea, model):
    Endpoint.objects.create(shared=True, name="Lab", base_url="http://lab.example/v1")
    page = page_of(rhea, lab, "?method=felm-segment")
    assert f'<option value="" selected>{model.base_url}</option>' in page
    assert '<option value="Lab">Lab: http://lab.example/v1</option>' in page


def test_without_an_endpoint_the_form_stops_with_a_link(lab, rhea, monkeypatch):
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    page = page_of(rhea, lab, "?method=felm-segment")
    assert "No endpoint is configured for this dataset" in page
    assert f'<a href="{reverse("endpoints", args=[lab.pk])}">Endpoints</a>' in page
    assert "Start the run" not in page
    rhea.post(reverse("run-new", args=[lab.pk]), {"method": "felm-segment", "model": "m"})
    assert not Run.objects.exists()
    assert not Endpoint.objects.exists()
    assert "Start the run" in page_of(rhea, lab, "?method=random")


def test_there_is_no_default_that_the_environment_does_not_name(lab, rhea, monkeypatch):
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    Endpoint.objects.create(shared=True, name="Lab", base_url="http://lab.example/v1")
    answer = rhea.post(reverse("run-new", args=[lab.pk]), {"method": "felm-segment", "model": "m"})
    assert "Choose an endpoint." in answer.text
    sent = {"method": "felm-segment", "model": "m", "parameter-endpoint": "Lab"}
    rhea.post(reverse("run-new", args=[lab.pk]), sent)
    assert Run.objects.get().evaluator.parameters["endpoint"] == "Lab"


def test_the_endpoint_of_another_dataset_cannot_be_chosen(lab, rhea, model):
    theirs = Endpoint.objects.create(name="theirs", base_url="http://theirs.example/v1")
    EndpointGrant.objects.create(endpoint=theirs, dataset=make_dataset("other"))
    sent = {"method": "felm-segment", "model": "m", "parameter-endpoint": "theirs"}
    answer = rhea.post(reverse("run-new", args=[lab.pk]), sent)
    assert "Choose an endpoint of this dataset." in answer.text
    assert not Run.objects.exists()


def test_models_are_chosen_from_the_list_of_the_endpoint(lab, rhea, model):
    field = page_of(rhea, lab, "?parameter-endpoint=", "run-models")
    assert '<select name="model"' in field
    assert re.findall(r"<option[^>]*>([^<]+)</option>", field) == ["Choose a model", "m"]
    kept = page_of(rhea, lab, "?parameter-endpoint=&model=tuned", "run-models")
    assert "<option selected>tuned</option>" in kept


def test_a_model_is_typed_where_the_endpoint_lists_none(lab, rhea, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{free_port()}/v1")
    page_of(rhea, lab, "?method=felm-segment")
    Capabilities.objects.create(endpoint=Endpoint.objects.get(), model="tiny", chat=True, probed_at="2026-11-20T12:00Z")
    field = page_of(rhea, lab, "?parameter-endpoint=", "run-models")
    assert '<input type="text" name="model"' in field
    assert '<option value="tiny">' in field
    assert "lists no models" in field


# What is sent


def test_parameters_that_are_as_shown_are_left_to_the_profile(lab, rhea, model):
    """The published code samples at 0.7; the form shows our own default."""
    lives = make_dataset("lives", "factscore")
    make_response(lives, ["Ada lived."])
    client = Client()
    client.force_login(make_person("olga", lives, Role.RESEARCHER))
    address = reverse("run-new", args=[lives.pk])
    shown = {f"parameter-{each.name}": str(each.default) for each in METHODS["factscore-no-context"].parameters}
    sent = shown | {"method": "factscore-no-context", "model": "m", "parameter-profile": "released-code"}
    sent |= {"parameter-facts": "generated", "parameter-max_tokens": "99"}
    client.post(address, sent)
    parameters = Run.objects.get().evaluator.parameters
    assert (parameters["temperature"], parameters["max_tokens"]) == (0.7, 99)


def test_parameters_of_a_link_are_sent_as_they_are(lab, rhea, model):
    """A run that is repeated keeps its own parameters, also those that are the defaults of no profile."""
    lives = make_dataset("lives", "factscore")
    make_response(lives, ["Ada lived."])
    client = Client()
    client.force_login(make_person("olga", lives, Role.RESEARCHER))
    given = {"profile": "released-code", "temperature": "0", "facts": "generated"}
    run = create_run(lives, "factscore-no-context", model="m", parameters=given).run
    address = f"{reverse('run-new', args=[lives.pk])}?{ask_anew_query(run)}"
    shown = {f"parameter-{name}": str(value) for name, value in run.evaluator.parameters.items()}
    client.post(address, shown | {"model": "m", "name": run.evaluator.name, "anew": "on"})
    assert Run.objects.filter(evaluator=run.evaluator).count() == 2


def test_an_empty_parameter_is_its_default(lab, rhea, model):
    sent = {"method": "felm-segment", "model": "m", "parameter-samples": "", "parameter-temperature": "0.5"}
    rhea.post(reverse("run-new", args=[lab.pk]), sent)
    parameters = Run.objects.get().evaluator.parameters
    assert (parameters["samples"], parameters["temperature"]) == (1, 0.5)


def test_an_error_in_a_folded_field_unfolds_it(lab, rhea, model):
    sent = {"method": "felm-segment", "model": "m", "parameter-samples": "100"}
    assert '<details class="advanced" open>' in rhea.post(reverse("run-new", args=[lab.pk]), sent).text
    assert '<details class="advanced">' in page_of(rhea, lab, "?method=felm-segment")


def test_the_methods_are_described_on_a_page_of_their_own(lab, rhea):
    assert METHODS["felm-segment"].description in page_of(rhea, lab, "?methods=all").replace("&#x27;", "'")
