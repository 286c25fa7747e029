"""The commands that print figures."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.factories import add_gold, make_dataset, make_response

pytestmark = pytest.mark.django_db

COMMANDS = ["report", "agreement", "dataset_stats"]


def run(*arguments):
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def make_lab():
    response = make_response(make_dataset("lab"))
    for segment, value in zip(response.segments.all(), ("supported", "not_supported"), strict=True):
        add_gold(segment, value)


@pytest.mark.parametrize("command", COMMANDS)
def test_json_is_one_strict_document(command):
    make_lab()
    document = json.loads(run(command, "lab", "--json"), parse_constant=pytest.fail)
    assert document["dataset"] == "lab"


@pytest.mark.parametrize("command", COMMANDS)
def test_without_json_it_prints_a_table(command):
    make_lab()
    assert "all" in run(command, "lab")


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_dataset_is_an_error(command):
    with pytest.raises(CommandError, match="no dataset 'nowhere'"):
        run(command, "nowhere")


@pytest.mark.parametrize("option", ["--gold-version", "--evaluator"])
def test_an_unknown_version_or_evaluator_is_an_error(option):
    make_lab()
    with pytest.raises(CommandError, match="nothing"):
        run("report", "lab", option, "nothing")
