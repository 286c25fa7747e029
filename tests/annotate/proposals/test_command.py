import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.models import FactSet, Proposal
from tests.factories import make_dataset, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def lives():
    dataset = make_dataset("lives", scheme="factscore")
    for topic in ("Maria", "Otto"):
        make_response(dataset, [f"{topic} painted."], prompt=topic, subject="amber")
    return dataset


def propose(capsys, *words):
    call_command("propose", "lives", *words, "--json")
    return json.loads(capsys.readouterr().out)


def test_with_wait_the_model_is_asked_to_the_end(lives, model, capsys):
    assert propose(capsys, "facts", "--model", "tiny", "--limit", "1", "--wait") == {
        "dataset": "lives",
        "kind": "facts",
        "model": "tiny",
        "responses": 1,
        "done": 1,
        "failed": 0,
        "waiting": 0,
    }
    assert FactSet.objects.get().response.index == "amber/Maria"


def test_without_it_the_proposals_wait_for_a_worker(lives, capsys):
    assert propose(capsys, "facts", "--model", "tiny")["waiting"] == 2
    assert Proposal.objects.filter(state="waiting", enqueued_at__isnull=False).count() == 2


def test_the_model_asked_last_is_asked_again(lives, model, capsys):
    propose(capsys, "facts", "--model", "tiny", "--limit", "1", "--wait")

    assert propose(capsys, "facts", "--wait")["model"] == "tiny"


def test_a_failure_is_an_error_that_names_the_response(lives, model, capsys):
    model.control(answer="no")

    with pytest.raises(CommandError, match=r"Response amber/Maria: Sentence 1: .* begins with"):
        call_command("propose", "lives", "facts", "--model", "tiny", "--wait", "--json")

    assert json.loads(capsys.readouterr().out)["failed"] == 2


@pytest.mark.parametrize(
    ("name", "message"), [("lives", "Enter a model"), ("nowhere", "there is no dataset 'nowhere'")]
)
def test_what_is_missing_is_one_sentence(lives, name, message):
    with pytest.raises(CommandError, match=message):
        call_command("propose", name, "facts")
