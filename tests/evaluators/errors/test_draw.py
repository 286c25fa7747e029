"""A sample of a run's mistakes: what is one, and what is drawn."""

import pytest

from annotate.gold.freeze import freeze_gold
from evaluators.errors.draw import draw_sample
from ratings.errors import DrawError
from tests.evaluators.comparison.rows import add_run
from tests.evaluators.errors.work import make_mistakes, sample_of
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def units_of(analysis):
    return [mistake.text for mistake in analysis.items.order_by("position")]


def test_both_kinds_of_mistakes_are_drawn_from():
    _, run = make_mistakes(6)
    analysis = sample_of(run, 6)
    assert analysis.population == 6
    assert sorted((each.gold, each.predicted) for each in analysis.items.all()) == [
        *[("not_supported", "supported")] * 3,
        *[("supported", "not_supported")] * 3,
    ]


def test_the_same_seed_draws_the_same_and_another_draws_others():
    _, run = make_mistakes(30)
    first, second, other = sample_of(run, 8), sample_of(run, 8), sample_of(run, 8, seed=8)
    assert units_of(first) == units_of(second) != units_of(other)


def test_the_sample_stays_when_gold_changes():
    dataset, run = make_mistakes(4)
    analysis = sample_of(run, 4)
    before = units_of(analysis)
    for mistake in analysis.items.all():
        mistake.segment.gold.update(superseded=dataset.next_gold_revision())
        add_gold(mistake.segment, mistake.predicted)
    assert units_of(analysis) == before
    assert all(mistake.gold != mistake.predicted for mistake in analysis.items.all())


def test_what_could_not_be_read_and_what_is_missing_are_no_mistakes():
    dataset = make_dataset()
    one, two, three = make_response(dataset, ["One.", "Two.", "Three."]).segments.all()
    for segment in (one, two, three):
        add_gold(segment, "not_supported")
    run = add_run(dataset, {one: "?", two: "S"})
    assert units_of(sample_of(run, 1)) == ["Two."]
    with pytest.raises(DrawError, match="draw 1 to 1"):
        sample_of(run, 2)


def test_an_irrelevant_unit_called_unsupported_is_no_mistake():
    """Both are errors: the class that is looked for."""
    dataset = make_dataset()
    one, two = make_response(dataset).segments.all()
    add_gold(one, "irrelevant")
    add_gold(two, "supported")
    with pytest.raises(DrawError, match="nowhere"):
        sample_of(add_run(dataset, {one: "N", two: "S"}), 1)


def test_facts_are_drawn_but_not_those_of_irrelevant_sentences():
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset)
    facts = add_facts(response, [["A fact."], ["Another."]])
    add_gold(facts[0], "not_supported")
    add_gold(facts[1].segment, "irrelevant")
    run = add_run(dataset, {facts[0]: "S", facts[1]: "S"})
    assert units_of(sample_of(run, 1)) == ["A fact."]


def test_a_frozen_version_is_compared_with_as_it_was():
    dataset, run = make_mistakes(2)
    person = make_person("rhea")
    version = freeze_gold(dataset, "v1", person)
    for segment in [each.segment for each in run.predictions.all()]:
        segment.gold.update(superseded=dataset.next_gold_revision())
    assert draw_sample(run, version, 2, 1, person).version == version
    with pytest.raises(DrawError):
        draw_sample(run, None, 2, 1, person)


def test_nothing_is_written_where_too_many_are_asked_for():
    _, run = make_mistakes(2)
    with pytest.raises(DrawError):
        sample_of(run, 3)
    assert not run.error_analyses.exists()
