"""Endpoints are granted to datasets: others neither see nor use them, and a grant can be withdrawn during a run."""

from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.grants.endpoints import endpoints_of, find_granted
from annotate.models import EndpointGrant, Role
from annotate.prompts.forms import AskForm
from annotate.prompts.start import GenerationSettings, start
from evaluators.models import Evaluator, Run
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate
from evaluators.runs.run_job import RunJob
from jobs.errors import StartError
from jobs.work import work_on
from llm.errors import EndpointAddressError, NotGrantedError
from llm.models import Endpoint
from tests.factories import make_dataset, make_person, make_response

NAMED = {"model": "m", "parameters": {"endpoint": "theirs"}}


@pytest.fixture
def lab(db):
    dataset = make_dataset()
    for number in range(3):
        make_response(dataset, [f"It is {number}."])
    return dataset


@pytest.fixture
def other(db):
    return make_dataset("other")


@pytest.fixture
def theirs(other, model):
    endpoint = Endpoint.objects.create(name="theirs", base_url=model.base_url, owner=make_person("olga"))
    EndpointGrant.objects.create(endpoint=endpoint, dataset=other)
    return endpoint


def log_in(client, name, dataset=None, role=Role.RESEARCHER, superuser=False):
    person = make_person(name, dataset, role)
    person.is_superuser = superuser
    person.save()
    client.force_login(person)
    return client


def test_another_datasets_endpoint_is_as_if_it_were_not_there(lab, other, theirs):
    assert [list(endpoints_of(lab)), list(endpoints_of(other))] == [[], [theirs]]
    sentence = "There is no endpoint named 'theirs'"
    with pytest.raises(EndpointAddressError, match=sentence):
        find_granted(lab, "theirs")
    with pytest.raises(EndpointAddressError, match=sentence):
        create_run(lab, "felm-segment", **NAMED)
    with pytest.raises(EndpointAddressError, match=sentence):
        estimate(lab, "felm-segment", limit=None, **NAMED)
    with pytest.raises(CommandError, match=sentence):
        call_command("evaluate", "lab", "felm-segment", model="m", param=["endpoint=theirs"])
    with pytest.raises(CommandError, match=sentence):
        call_command("generate_responses", "lab", "m", endpoint="theirs")
    with pytest.raises(StartError, match="not granted to lab"):
        start(lab, theirs, GenerationSettings("m"))
    assert not Run.objects.exists()


def test_forms_and_pages_do_not_show_it(client, lab, theirs):
    log_in(client, "rhea", lab)
    for page in (reverse("endpoints", args=[lab.pk]), reverse("run-new", args=[lab.pk]) + "?method=felm-segment"):
        assert "theirs" not in client.get(page).content.decode()
    assert list(AskForm(lab).fields["endpoint"].queryset) == []


def test_a_shared_one_needs_no_grant(lab, theirs):
    Endpoint.objects.update(shared=True)
    assert create_run(lab, "felm-segment", **NAMED).created


def test_the_default_endpoint_is_shared_until_somebody_ends_that(lab, model):
    assert create_run(lab, "felm-segment", model="m").created
    assert Endpoint.objects.get().shared
    Endpoint.objects.update(shared=False)
    with pytest.raises(NotGrantedError, match="not granted to lab"):
        create_run(lab, "felm-segment", model="m")


@pytest.mark.django_db(transaction=True)
def test_a_run_whose_grant_is_withdrawn_stops_with_a_sentence_and_goes_on_later(lab, theirs, model):
    grant = EndpointGrant.objects.create(endpoint=theirs, dataset=lab)
    run = create_run(lab, "felm-segment", **NAMED).run
    grant.delete()
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert (run.state, model.stats()["total"]) == (Run.State.FAILED, 0)
    assert run.error.startswith("The endpoint theirs is not granted to lab: who owns it")

    EndpointGrant.objects.create(endpoint=theirs, dataset=lab)
    assert run.resume()
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.FINISHED, run.error


@pytest.mark.django_db(transaction=True)
def test_so_does_one_that_is_at_work(lab, theirs, model, monkeypatch):
    """The grant goes with the first answer."""
    monkeypatch.setattr("llm.call_limiter.PERMITTED_SECONDS", 0.0)
    grant = EndpointGrant.objects.create(endpoint=theirs, dataset=lab)
    run = create_run(lab, "felm-segment", model="m", parameters={"endpoint": "theirs", "in_flight": "1"}).run
    permitted = import_module("annotate.grants.endpoints").check_granted
    asked = []

    def check(dataset, endpoint):
        asked.append(endpoint)
        if len(asked) == 3:
            EndpointGrant.objects.filter(pk=grant.pk).delete()
        permitted(dataset, endpoint)

    monkeypatch.setattr("evaluators.runs.asking.check_granted", check)
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.FAILED
    assert "not granted to lab" in run.error
    assert model.stats()["total"] == 1


def test_administrators_and_owners_grant_and_withdraw(client, lab, other, theirs):
    address = reverse("endpoint-grant", args=[lab.pk, theirs.pk])
    log_in(client, "rhea", lab)
    assert client.post(address, {"dataset": lab.pk}).status_code == 403
    log_in(client, "boss", superuser=True)
    assert client.post(address, {"dataset": lab.pk}).status_code == 302
    assert EndpointGrant.objects.get(dataset=lab).granted_by.username == "boss"
    assert "Withdraw" in client.get(reverse("endpoint", args=[lab.pk, theirs.pk])).content.decode()
    client.post(address, {"withdraw": EndpointGrant.objects.get(dataset=lab).pk})
    assert list(EndpointGrant.objects.values_list("dataset", flat=True)) == [other.pk]
    client.post(address, {"shared": "yes"})
    assert theirs in endpoints_of(lab)
    client.post(address, {"shared": ""})
    assert theirs not in endpoints_of(lab)


def test_an_owner_grants_where_they_evaluate_and_shares_with_nobody_else(client, lab, other):
    log_in(client, "rhea", lab)
    own = Endpoint.objects.create(
        name="own", base_url="https://own.example/v1", owner_id=client.session["_auth_user_id"]
    )
    address = reverse("endpoint-grant", args=[lab.pk, own.pk])
    assert client.post(address, {"dataset": other.pk}).status_code == 422
    assert client.post(address, {"shared": "yes"}).status_code == 403
    assert client.post(address, {"dataset": lab.pk}).status_code == 302
    assert list(endpoints_of(lab)) == [own]


def test_who_adds_an_endpoint_owns_it_and_the_dataset_may_use_it(client, lab, other):
    log_in(client, "boss", superuser=True)
    added = {"name": "new", "base_url": "https://new.example/v1", "key_variable": "OPENAI_API_KEY"}
    assert client.post(reverse("endpoints", args=[lab.pk]), added).status_code == 302
    assert Endpoint.objects.get().owner.username == "boss"
    assert [endpoints_of(lab).count(), endpoints_of(other).count()] == [1, 0]


def test_earlier_endpoints_are_granted_to_the_datasets_whose_work_used_them(lab, other):
    migration = import_module("factor.migrations.0003_what_datasets_own")
    for name in ("ran", "wrote", "unused", "https://default.example"):
        base_url = name if "://" in name else f"https://{name}.example"
        Endpoint.objects.create(name=name, base_url=base_url)
    evaluator = Evaluator.objects.create(name="e")
    Run.objects.create(evaluator=evaluator, dataset=lab, manifest={"endpoint": "https://ran.example"})
    Run.objects.create(evaluator=evaluator, dataset=lab, manifest={"endpoint": None})
    Run.objects.create(evaluator=evaluator, dataset=other, manifest={})
    other.generations.create(endpoint=Endpoint.objects.get(name="wrote"), subject="s", model="m", answer_tokens=1)

    migration.grant_endpoints(apps, None)

    grants = EndpointGrant.objects.values_list("endpoint__name", "dataset__name")
    assert sorted(grants) == [("ran", "lab"), ("wrote", "other")]
    shared = Endpoint.objects.filter(shared=True).values_list("name", flat=True)
    assert set(shared) == {"unused", "https://default.example"}
