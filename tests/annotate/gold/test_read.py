"""Gold as columns."""

import pytest

from annotate.adjudication.whole import settle_removal
from annotate.gold.freeze import freeze_gold
from annotate.gold.read import read_gold
from annotate.models import Import
from core.errors import DataError
from stats.gold_table import IRRELEVANT, NO_GOLD, SUPPORTED
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def test_units_of_felm_are_segments_in_reading_order():
    dataset = make_dataset()
    first, second = make_response(dataset).segments.all()
    add_gold(second, "supported")
    table = read_gold(dataset)
    assert table.segments.key.tolist() == [first.pk, second.pk]
    assert table.units.value.tolist() == [NO_GOLD, SUPPORTED]


def test_units_of_factscore_are_human_facts_and_the_models_where_there_are_none():
    dataset = make_dataset(scheme="factscore")
    life = make_response(dataset, ["Ada wrote.", "The sea is wide."], prompt="Ada", subject="amber")
    (human,) = add_facts(life, [["Ada wrote."], []])
    _, sea = add_facts(life, [["Ada did write."], ["The sea is wide."]], origin="model")
    add_gold(human, "supported")
    add_gold(sea.segment, "irrelevant")
    table = read_gold(dataset)
    assert table.units.fact.tolist() == [human.pk, sea.pk]
    assert table.units.value.tolist() == [SUPPORTED, IRRELEVANT]


def test_a_sentence_in_which_people_found_no_fact_has_no_units():
    dataset = make_dataset(scheme="factscore")
    life = make_response(dataset, ["Well."], prompt="Ada", subject="amber")
    life.segments.update(extra={"human_facts": "empty"})
    add_facts(life, [["It is well."]], origin="model")
    assert read_gold(dataset).units.fact.tolist() == []


def test_what_an_unfinished_import_brought_is_not_there():
    dataset = make_dataset()
    make_response(dataset)
    Import.objects.update(finished_at=None)
    assert read_gold(dataset).responses.key.tolist() == []


def test_what_was_removed_is_marked_as_of_the_version():
    dataset = make_dataset()
    remaining, removed = make_response(dataset, ["One is odd."]), make_response(dataset, ["Two is odd."])
    for response in (remaining, removed):
        add_gold(response.segments.get(), "supported")
    freeze_gold(dataset, "v1")
    settle_removal(removed, make_person("dora"), keep=False, why="It asks for nothing.")
    now, then = read_gold(dataset), read_gold(dataset, "v1")
    assert (now.responses.removed.tolist(), now.units.value.tolist()) == ([False, True], [SUPPORTED, NO_GOLD])
    assert (then.responses.removed.tolist(), then.units.value.tolist()) == ([False, False], [SUPPORTED, SUPPORTED])


def test_an_unknown_version_is_an_error():
    with pytest.raises(DataError, match="draft"):
        read_gold(make_dataset(), "draft")
