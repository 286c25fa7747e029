"""Gold and predictions in plain columns, kept as long as neither changes; and the slices of their units."""

import numpy as np
import pytest
from django.utils import timezone

from annotate.gold.freeze import freeze_gold
from annotate.models import GoldLabel
from core.errors import DataError
from evaluators.comparison.slices import NO_SLICE, slicings
from evaluators.comparison.study import study_of, table_of
from evaluators.models import Prediction
from evaluators.predictions.read import NO_PREDICTION, NOT_PARSED
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab():
    """Two responses: one of two segments, an error and not; and one of four, all correct."""
    dataset = make_dataset("lab")
    short = make_response(dataset, ["One is even.", "Two is even."], domain="math")
    long = make_response(dataset, ["A b c.", "D e f.", "G h i.", "J k l."], domain="wk")
    for place, segment in enumerate([*short.segments.all(), *long.segments.all()]):
        add_gold(segment, "not_supported" if place == 0 else "supported", "knowledge" if place == 0 else "")
    return dataset


def segments(dataset):
    return [segment for response in dataset.responses.all() for segment in response.segments.all()]


def said_by(study, name):
    return next(judge.predictions for judge in study.judges if judge.name == name)


def test_predictions_stand_at_the_units_of_gold_with_their_scores(lab):
    first, second, third, *_ = segments(lab)
    run = add_run(lab, {first: "N", third: "?"}, "ada")
    Prediction.objects.create(run=run, segment=second, value="supported", score=0.75)

    said = said_by(study_of(lab, None), "ada")

    assert said.units.tolist() == [1, 0, NOT_PARSED, *[NO_PREDICTION] * 3]
    assert said.segments is None
    assert np.isnan(said.scores[[0, 2, 3]]).all()
    assert said.scores[1] == 0.75


def test_predictions_of_another_dataset_are_left_out(lab):
    other = make_response(make_dataset("other")).segments.first()
    run = add_run(lab, {segments(lab)[0]: "N"}, "ada")
    Prediction.objects.create(run=run, segment=other, value="supported")

    assert (said_by(study_of(lab, None), "ada").units >= 0).sum() == 1


def test_facts_of_a_sentence_judged_irrelevant_take_its_prediction_and_score():
    dataset = make_dataset("bios", "factscore")
    response = make_response(dataset, ["Ada was born.", "Hello."], subject="amber")
    born, hello = add_facts(response, [["Ada was born."], ["Hello was said."]])
    add_gold(born, "supported")
    add_gold(hello.segment, "irrelevant")
    run = add_run(dataset, {born: "S"}, "ben")
    Prediction.objects.create(run=run, segment=hello.segment, value="irrelevant", score=0.25)

    said = said_by(study_of(dataset, None), "ben")

    assert said.units.tolist() == [0, 2]
    assert said.scores[1] == 0.25


def test_an_evaluator_that_never_ran_is_an_error(lab):
    with pytest.raises(DataError, match="no finished run of an evaluator 'cleo'"):
        study_of(lab, None, ["cleo"])


def test_what_is_kept_is_read_once(lab, django_assert_num_queries, django_assert_max_num_queries):
    add_run(lab, {segments(lab)[0]: "N"}, "ada")
    study_of(lab, None)

    with django_assert_max_num_queries(12):
        study_of(lab, None)


def test_a_change_of_gold_is_another_study(lab):
    first = segments(lab)[0]
    before = study_of(lab, None).table.units.value
    first.gold.update(superseded=lab.next_gold_revision())
    add_gold(first, "supported")

    assert (before[0], study_of(lab, None).table.units.value[0]) == (1, 0)


def test_a_frozen_version_stays_as_it_is(lab):
    version = freeze_gold(lab, "v1", make_person("dora"))
    first = segments(lab)[0]
    first.gold.update(superseded=lab.next_gold_revision())
    add_gold(first, "supported")

    assert table_of(lab, version).units.value[0] == 1
    assert table_of(lab, None).units.value[0] == 0


def test_a_run_that_grows_is_read_again(lab):
    first, second, *_ = segments(lab)
    run = add_run(lab, {first: "N"}, "ada")
    study_of(lab, None)
    Prediction.objects.create(run=run, segment=second, value="supported")
    run.last_prediction_at = timezone.now()
    run.save()

    assert (said_by(study_of(lab, None), "ada").units >= 0).sum() == 2


def test_units_in_slices_by_domain_position_length_and_type_of_error(lab):
    found = slicings(table_of(lab, None))

    domain, position, length, error_type = (found[name] for name in ("domain", "position", "length", "error_type"))
    assert domain.names == ("math", "wk")
    assert domain.of["segment"].tolist() == [0, 0, 1, 1, 1, 1]
    assert domain.of["response"].tolist() == [0, 1]
    # Segment i of n falls in bin ⌊5i/n⌋.
    assert position.of["segment"].tolist() == [0, 2, 0, 1, 2, 3]
    assert "response" not in position.of
    assert length.names == ("6 to 6 words", "12 to 12 words")
    assert error_type.names == ("knowledge",)
    assert error_type.of["segment"].tolist() == [0, *[NO_SLICE] * 5]
    assert error_type.only_recall


def test_a_response_is_adjudicated_when_any_part_of_it_is(lab):
    dora = make_person("dora")
    first = segments(lab)[0]
    decision = first.adjudications.create(who=dora, why="Look again.")
    GoldLabel.objects.filter(segment=first).update(source="adjudicated", adjudication=decision)

    gold = slicings(table_of(lab, None))["gold"]

    assert [gold.names[place] for place in gold.of["response"]] == ["adjudicated", "came with the file"]
    assert [gold.names[place] for place in gold.of["segment"][:2]] == ["adjudicated", "came with the file"]


def test_what_has_no_name_is_in_no_slice(lab):
    make_response(lab, domain="")

    found = slicings(table_of(lab, None))

    assert found["domain"].of["response"].tolist() == [0, 1, NO_SLICE]
    assert "nationality" not in found
