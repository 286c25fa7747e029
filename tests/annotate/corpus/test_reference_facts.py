"""Lists of the facts that a complete answer states: import, and what units cover."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotate.corpus.reference_facts import share_covered
from annotate.models import Prompt
from tests.annotate.corpus.files import write_rows
from tests.factories import make_dataset, make_response

pytestmark = pytest.mark.django_db

FACTS = ["Ada was born in London.", "Ada wrote a program."]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "lists.jsonl"


@pytest.fixture
def lab():
    dataset = make_dataset(scheme="factscore")
    for subject in ("amber", "basalt"):
        ada = Prompt.objects.filter(topic="Ada").first() or "Ada"
        make_response(dataset, ["Ada wrote."], prompt=ada, subject=subject)
    make_response(dataset, ["Ben sang."], prompt="Ben", subject="amber")
    return dataset


def lists():
    return dict(Prompt.objects.order_by("pk").values_list("topic", "reference_facts"))


def test_prompts_get_their_lists_by_topic_or_text(lab, file, capsys):
    write_rows(file, {"topic": "Ada", "facts": FACTS}, {"prompt": "Ben", "facts": ["Ben sang."]})
    call_command("import_reference_facts", "lab", str(file), "--json")

    assert json.loads(capsys.readouterr().out) == {"dataset": "lab", "created": 2, "unchanged": 0}
    assert lists() == {"Ada": FACTS, "Ben": ["Ben sang."]}


def test_the_same_file_again_changes_nothing(lab, file, capsys):
    write_rows(file, {"topic": "Ada", "facts": FACTS})
    call_command("import_reference_facts", "lab", str(file))
    call_command("import_reference_facts", "lab", str(file))

    assert capsys.readouterr().out.splitlines()[-1] == "lab: lists of 0 prompts, 1 unchanged"
    assert lists() == {"Ada": FACTS, "Ben": None}


@pytest.mark.parametrize(
    ("rows", "cause"),
    [
        ([{"topic": "Eve", "facts": FACTS}], "lists.jsonl, line 1: there is no topic 'Eve' in lab"),
        ([{"prompt": "Eve?", "facts": FACTS}], "line 1: there is no prompt 'Eve\\?' in lab"),
        ([{"facts": FACTS}], "line 1: a row names its prompt by topic, or by prompt"),
        ([{"topic": "Ben", "prompt": "Ben", "facts": FACTS}], "line 1: a row names its prompt by topic, or by prompt"),
        ([{"topic": "Ben", "facts": []}], "line 1: facts is empty"),
        ([{"topic": "Ben", "facts": ["One.", " "]}], "line 1: facts, item 2, is empty"),
        ([{"topic": "Ben", "facts": ["One.", "One."]}], "line 1: a fact stands twice in facts"),
        ([{"topic": "Ben", "facts": ["One."]}, {"prompt": "Ben", "facts": ["Two."]}], "line 2: .* that of line 1"),
        ([{"topic": "Ben", "facts": FACTS}, {"topic": "Ada", "facts": ["Other."]}], "line 2: .* another list already"),
    ],
)
def test_one_bad_line_and_nothing_is_written(lab, file, rows, cause):
    Prompt.objects.filter(topic="Ada").update(reference_facts=FACTS)
    write_rows(file, *rows)
    with pytest.raises(CommandError, match=cause):
        call_command("import_reference_facts", "lab", str(file))
    assert lists() == {"Ada": FACTS, "Ben": None}


def test_a_list_is_covered_by_the_supported_units_that_it_is_aligned_to():
    """The example of docs/statistics.md: one fact stands in a supported unit, one in a wrong one, one in none."""
    facts = [*FACTS, "Ada died young."]
    units = [("Ada was born in London in 1815.", True), ("Ada wrote a novel.", False)]

    assert share_covered(facts, units) == pytest.approx(1 / 3)
    assert share_covered(facts, [(text, True) for text, _ in units]) == pytest.approx(2 / 3)
    assert share_covered(facts, []) == 0


def test_of_units_that_hold_as_much_a_supported_one_covers():
    units = [("Ada wrote a program.", False), ("Ada wrote a program.", True)]
    assert share_covered(["Ada wrote a program."], units) == 1
