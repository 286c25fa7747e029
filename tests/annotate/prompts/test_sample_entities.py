"""The draw of FActScore's appendix A.1, by hand."""

import json
from collections import Counter

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.prompts.sample_entities import (
    CELLS,
    REGIONS,
    Entity,
    TooFewError,
    frequency_class,
    name_key,
    sample_entities,
    without,
)
from tests.factories import make_dataset, make_response

# The least value of each class.
LEAST = {"very rare": 0, "rare": 100, "medium": 1000, "frequent": 10_000, "very frequent": 100_000}


def world(each: int) -> list[Entity]:
    """So many entities in each of the 20 cells."""
    return [
        Entity(f"{name} {region} {n}", region, value, None)
        for name, value in LEAST.items()
        for region in REGIONS
        for n in range(each)
    ]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (0, "very rare"),
        (99, "very rare"),
        (100, "rare"),
        (999, "rare"),
        (1000, "medium"),
        (9999, "medium"),
        (10_000, "frequent"),
        (99_999, "frequent"),
        (100_000, "very frequent"),
    ],
)
def test_classes_are_half_open_powers_of_ten(value, name):
    assert frequency_class(value) == name


def test_the_frequency_value_is_the_greater_count():
    assert Entity("Maria", REGIONS[0], 40, 2000).frequency == "medium"
    assert Entity("Otto", REGIONS[0], 150, None).frequency == "rare"
    assert Entity("Ines", REGIONS[0], None, 7).frequency_value == 7


def test_every_cell_is_drawn_from_as_often_as_any_other():
    counts = Counter(entity.cell for entity in sample_entities(world(12), 183, seed=7))

    # 183 = 20 · 9 + 3: three cells have one more.
    assert set(counts) == set(CELLS)
    assert Counter(counts.values()) == {9: 17, 10: 3}


def test_the_seed_decides_the_draw_and_the_order_of_the_file_does_not():
    entities = world(5)

    assert sample_entities(entities, 30, seed=7) == sample_entities(entities[::-1], 30, seed=7)
    assert sample_entities(entities, 30, seed=7) != sample_entities(entities, 30, seed=8)


def test_cells_with_too_few_entities_are_named():
    scarce = ("rare", "Asia & Pacific")
    entities = [entity for entity in world(2) if entity.cell != scarce or entity.name.endswith("0")]

    with pytest.raises(TooFewError, match=r"^too few entities in 1 of 20 cells \(rare, Asia & Pacific: 1 more\)$"):
        sample_entities(entities, 40, seed=7)


def test_labelled_names_are_left_out_however_they_are_written():
    entities = [Entity(name, REGIONS[0], 1, None) for name in ("Ana_Ruiz", "Otto Braun")]

    assert [entity.name for entity in without(entities, {name_key("ana  ruiz")})] == ["Otto Braun"]


def draw(capsys, path, *words):
    call_command("sample_entities", str(path), *words, "--json")
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def entities(tmp_path):
    path = tmp_path / "entities.jsonl"
    rows = ({"name": each.name, "region": each.region, "views": each.occurrences} for each in world(2))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.django_db
def test_the_command_tells_who_was_drawn_and_writes_prompts(entities, tmp_path, capsys):
    output = tmp_path / "prompts.jsonl"

    document = draw(capsys, entities, "--size", "20", "--output", str(output))

    assert (document["entities"], document["left_out"], document["seed"], len(document["drawn"])) == (40, 0, 7, 20)
    first = json.loads(output.read_text().splitlines()[0])
    drawn = document["drawn"][0]
    assert first == {
        "prompt": f"Tell me a bio of {drawn['name']}.",
        "topic": drawn["name"],
        "frequency": "very rare",
        "nationality": "North America",
    }


@pytest.mark.django_db
def test_entities_of_a_labelled_dataset_are_not_drawn(entities, capsys):
    dataset = make_dataset("lives", scheme="factscore")
    make_response(dataset, prompt="RARE asia & pacific 0", subject="amber")

    document = draw(capsys, entities, "--size", "20", "--without", "lives")

    assert document["left_out"] == 1
    assert [each["name"] for each in document["drawn"] if each["name"].startswith("rare Asia")] == [
        "rare Asia & Pacific 1"
    ]
    with pytest.raises(CommandError, match=r"entities.jsonl: too few entities in 1 of 20 cells"):
        draw(capsys, entities, "--size", "40", "--without", "lives")


def test_csv_may_leave_a_count_blank(tmp_path, capsys, db):
    path = tmp_path / "entities.csv"
    rows = (f'"{each.name}",{each.region},,{each.occurrences}' for each in world(1))
    path.write_text("name,region,occurrences,views\n" + "\n".join(rows) + "\n")

    assert len(draw(capsys, path, "--size", "20")["drawn"]) == 20


@pytest.mark.parametrize(
    ("row", "cause"),
    [
        ({"name": "Maria", "region": "Atlantis", "views": 1}, "region must be one of North America"),
        ({"name": "Maria", "region": "North America"}, "occurrences or views must be given"),
        ({"name": "Maria", "region": "North America", "views": -1}, "views must be a whole number from 0"),
        ({"name": "Maria", "region": "North America", "views": "many"}, "views must be a whole number from 0"),
    ],
)
def test_a_row_at_fault_is_named(tmp_path, row, cause, db):
    path = tmp_path / "entities.jsonl"
    path.write_text(json.dumps(row))

    with pytest.raises(CommandError, match=f"^entities.jsonl, line 1: {cause}"):
        call_command("sample_entities", str(path))
