"""The commands that print figures."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.factories import add_gold, make_dataset, make_response

pytestmark = pytest.mark.django_db

COMMANDS = ["report", "compare", "detectable", "agreement", "dataset_stats"]


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


@pytest.mark.parametrize(
    ("command", "option"),
    [
        *(("report", option) for option in ("--gold-version", "--evaluator")),
        *(("compare", option) for option in ("--gold-version", "--evaluator", "--level", "--by", "--slice")),
        *(("detectable", option) for option in ("--gold-version", "--by")),
    ],
)
def test_what_is_not_there_is_an_error_that_names_it(command, option):
    make_lab()
    with pytest.raises(CommandError, match="nothing"):
        run(command, "lab", option, "nothing")


@pytest.mark.parametrize("value", ["0", "-1", "two"])
def test_pairs_that_are_no_number_are_wrong_usage(value):
    make_lab()
    with pytest.raises(CommandError, match="not a number"):
        run("detectable", "lab", f"--comparisons={value}")


@pytest.mark.parametrize("rate", ["--recall", "--false-alarms", "--correlation", "--shared"])
@pytest.mark.parametrize("value", ["1", "-0.1", "half"])
def test_a_rate_that_is_no_share_is_wrong_usage(rate, value):
    make_lab()
    with pytest.raises(CommandError, match="not a share"):
        run("detectable", "lab", f"{rate}={value}")
