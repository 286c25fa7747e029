"""Researchers create sandboxes of their own, which nobody else joins and whose calls no shared endpoint pays."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotate.administration.members import MemberError, add_member
from annotate.datasets.create import MOST_SANDBOXES, create_dataset, may_create_sandbox
from annotate.datasets.setup import setup_steps
from annotate.grants.endpoints import endpoints_of
from annotate.models import Dataset, EndpointGrant, Invitation, Role, SourceOwner, User
from annotate.tasks.annotators import AnnotatorError, make_annotators
from audit.models import Action, AuditEntry
from evaluators.runs.create import create_run
from llm.endpoints import default_endpoint
from llm.errors import NotGrantedError
from tests.api.conftest import client_of as api_client_of
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

NEW = {"name": "trial", "scheme": "felm", "description": ""}


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def lab() -> Dataset:
    return make_dataset()


@pytest.fixture
def rhea(lab: Dataset) -> User:
    return make_person("rhea", lab, Role.RESEARCHER)


@pytest.fixture
def sandbox(rhea: User) -> Dataset:
    return create_dataset("trial", "felm", rhea, ready=True, sandbox=True)


def test_a_researcher_creates_one_and_owns_it(rhea: User) -> None:
    client = client_of(rhea)
    assert "New sandbox" in client.get(reverse("home")).text
    page = client.get(reverse("dataset-new")).text
    assert "Nobody else joins it" in page
    made = client.post(reverse("dataset-new"), NEW)
    trial = Dataset.objects.get(name="trial")
    assert made.url == reverse("dataset", args=[trial.pk])
    assert trial.sandbox
    assert trial.memberships.get().user == rhea
    assert trial.memberships.get().role == Role.ADJUDICATOR
    assert '<span class="role">sandbox</span>' in client.get(made.url).text
    assert AuditEntry.objects.get(action=Action.DATASET_CREATED).detail == "a sandbox"


def test_who_is_no_researcher_creates_none(lab: Dataset, sandbox: Dataset) -> None:
    for person in (make_person("ada", lab), make_person("dora", lab, Role.ADJUDICATOR), make_person("nobody")):
        assert client_of(person).post(reverse("dataset-new"), NEW | {"name": "mine"}).status_code == 403
        assert "New sandbox" not in client_of(person).get(reverse("home")).text
    # The owner of a sandbox is its adjudicator: it leads to no other.
    rhea = sandbox.memberships.get().user
    rhea.memberships.exclude(dataset=sandbox).delete()
    assert not may_create_sandbox(rhea)


def test_one_has_a_few_at_a_time(rhea: User) -> None:
    for number in range(MOST_SANDBOXES):
        assert client_of(rhea).post(reverse("dataset-new"), NEW | {"name": f"trial {number}"}).status_code == 302
    assert client_of(rhea).post(reverse("dataset-new"), NEW).status_code == 403
    Dataset.objects.filter(name="trial 0").delete()
    assert client_of(rhea).post(reverse("dataset-new"), NEW).status_code == 302


def test_the_right_to_create_datasets_is_not_gained(rhea: User) -> None:
    client_of(rhea).post(reverse("dataset-new"), NEW | {"sandbox": ""})
    assert Dataset.objects.get(name="trial").sandbox


def test_nobody_else_sees_it(lab: Dataset, sandbox: Dataset) -> None:
    for name, role in (("dora", Role.ADJUDICATOR), ("otto", Role.RESEARCHER), ("ada", Role.ANNOTATOR)):
        client = client_of(make_person(name, lab, role))
        assert client.get(reverse("dataset", args=[sandbox.pk])).status_code == 404
        assert "trial" not in client.get(reverse("home")).text


def test_nobody_else_joins_it_in_any_way(lab: Dataset, rhea: User, sandbox: Dataset) -> None:
    ada = make_person("ada", lab)
    client = client_of(rhea)
    with pytest.raises(MemberError, match="is a sandbox"):
        add_member(sandbox, "ada", Role.ANNOTATOR)
    with pytest.raises(AnnotatorError, match="is a sandbox"):
        make_annotators(sandbox, ["ada"])
    answer = client.post(reverse("member-add", args=[sandbox.pk]), {"name": "ada", "role": "annotator"})
    assert answer.status_code == 422
    invited = {"name": "Ada", "email": "", "role": "annotator"}
    assert client.post(reverse("invite", args=[sandbox.pk]), invited).status_code == 403
    api = api_client_of(rhea)
    assert api.post(f"datasets/{sandbox.pk}/invitations/", invited).status_code == 403
    with pytest.raises(CommandError, match="is a sandbox"):
        make_response(sandbox)
        call_command("assign", "trial", annotators="ada")
    assert "Invite a person" not in client.get(reverse("people", args=[sandbox.pk])).text
    assert sandbox.memberships.get().user == rhea
    assert not Invitation.objects.exists()
    assert not ada.memberships.filter(dataset=sandbox).exists()


def test_nothing_of_it_is_public(rhea: User, sandbox: Dataset) -> None:
    for segment in make_response(sandbox).segments.all():
        add_gold(segment, "supported")
    sandbox.gold_versions.create(name="v1", revision=1, hash="0" * 64, labels=2)
    client = client_of(rhea)
    sent = {"title": "Public", "version": "v1", "hidden": "50", "daily": "2"}
    for name in ("shares", "boards"):
        assert "This is a sandbox: nothing of it is shown" in client.post(reverse(name, args=[sandbox.pk]), sent).text
    assert not sandbox.shared_comparisons.exists()
    assert not sandbox.held_out_boards.exists()


def test_its_set_up_is_data_alone(sandbox: Dataset) -> None:
    assert [step.title for step in setup_steps(sandbox)] == ["Data"]
    make_response(sandbox)
    assert setup_steps(sandbox) == []


def test_no_shared_endpoint_is_used_until_it_is_granted(sandbox: Dataset, model: object) -> None:
    make_response(sandbox)
    with pytest.raises(NotGrantedError, match="not granted to trial"):
        create_run(sandbox, "felm-segment", model="m")
    shared = default_endpoint()
    assert shared.shared
    assert not endpoints_of(sandbox).exists()
    EndpointGrant.objects.create(endpoint=shared, dataset=sandbox)
    assert create_run(sandbox, "felm-segment", model="m").created


def test_its_owner_takes_data_and_sources_in(rhea: User, sandbox: Dataset) -> None:
    client = client_of(rhea)
    assert client.get(reverse("import")).status_code == 200
    assert client.get(reverse("knowledge", args=[sandbox.pk])).status_code == 200
    sent = {"file": SimpleUploadedFile("page.txt", b"Ada wrote."), "name": "mine", "tokenizer": ""}
    assert client.post(reverse("knowledge-upload", args=[sandbox.pk]), sent).status_code == 302
    assert not SourceOwner.objects.exclude(dataset=sandbox).exists()


def test_the_api_creates_sandboxes_for_researchers_and_nothing_more(rhea: User) -> None:
    api = api_client_of(rhea)
    assert api.post("datasets/", {"name": "big", "scheme": "felm"}).status_code == 403
    made = api.post("datasets/", {"name": "trial", "scheme": "felm", "sandbox": True})
    assert (made.status_code, made.json()["sandbox"]) == (201, True)
