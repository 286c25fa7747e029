"""Who is served what, and how their word is written down."""

import pytest

from annotate.judgements.judgement import UnitJudgement
from annotate.models import GoldLabel, User, ViewReceipt
from annotate.people.receipts import note_receipt
from annotate.second_look.look import last_look, next_item
from annotate.second_look.look import look_at as take_judgement
from annotate.second_look.send import looked_at, lookers_by_response, send, under_way
from annotate.second_look.settle import state_of, uphold
from ratings.errors import DrawError, FullError, RatingError
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.second_look.work import case_of, look_at, make_units, send_all
from tests.factories import add_gold, make_person

pytestmark = pytest.mark.django_db


def person(name):
    return User.objects.get(username=name)


def test_one_is_served_what_one_has_not_judged():
    dataset, units = make_units(["supported", "supported"])
    judge(make_task(units[0].response), person("ada"), {units[0]: "supported"})
    send_all(dataset, units)
    assert next_item(dataset, person("ada")).segment == units[1]


def test_a_task_that_one_has_skipped_is_not_served_again():
    dataset, (unit,) = make_units(["supported"])
    task = make_task(unit.response)
    task.assignments.create(annotator=person("ada"), place=0, state="skipped", skip_reason="I know the author.")
    send_all(dataset, [unit])
    assert next_item(dataset, person("ada")) is None
    assert next_item(dataset, person("ben")) is not None


def test_a_unit_whose_labels_one_has_seen_is_not_served():
    """They were an adjudicator before."""
    dataset, (unit,) = make_units(["supported"])
    note_receipt(make_task(unit.response).pk, person("ada"), ViewReceipt.What.LABELS)
    send_all(dataset, [unit])
    assert next_item(dataset, person("ada")) is None
    assert next_item(dataset, person("ben")) is not None


def test_a_unit_goes_to_as_many_as_it_wants():
    dataset, (unit,) = make_units(["supported"])
    (item,) = send_all(dataset, [unit], wants=2)
    look_at(item, "ada", "supported")
    assert next_item(dataset, person("ada")) is None
    look_at(item, "ben", "supported")
    assert next_item(dataset, person("cleo")) is None
    with pytest.raises(FullError):
        look_at(item, "cleo", "supported")


def test_people_read_in_orders_of_their_own():
    dataset, units = make_units(["supported"] * 12)
    send_all(dataset, units)
    assert len({next_item(dataset, person(name)).pk for name in ("ada", "ben", "cleo")}) > 1


def test_the_order_in_which_units_are_sent_tells_nothing():
    dataset, units = make_units(["supported"] * 12)
    places = [item.position for item in send_all(dataset, units)]
    assert sorted(places) == list(range(12)) != places


def test_the_last_word_can_be_changed_until_it_is_settled():
    dataset, (unit,) = make_units(["supported"])
    (item,) = send_all(dataset, [unit])
    look_at(item, "ada", "supported")
    look_at(item, "ada", "not_supported", "I read on.")
    assert last_look(dataset, person("ada")).note == "I read on."
    assert item.ratings.count() == 1
    uphold(item, "It is odd.", person("dora"), state_of(case_of(item)))
    assert last_look(dataset, person("ada")) is None
    with pytest.raises(RatingError, match="adjudicated"):
        look_at(item, "ada", "supported")


@pytest.mark.parametrize(
    ("judgement", "match"), [(UnitJudgement(), "Choose"), (UnitJudgement("true"), "unknown value")]
)
def test_a_word_that_is_none_is_refused(judgement, match):
    dataset, (unit,) = make_units(["supported"])
    (item,) = send_all(dataset, [unit])
    with pytest.raises(RatingError, match=match):
        take_judgement(item, person("ada"), judgement)
    assert not item.ratings.exists()


def test_the_type_irrelevant_is_the_value_irrelevant():
    """As everywhere in FELM's scheme."""
    dataset, (unit,) = make_units(["supported"])
    (item,) = send_all(dataset, [unit])
    assert take_judgement(item, person("ada"), UnitJudgement("not_supported", "irrelevant")).value == "irrelevant"


def test_what_is_on_its_way_is_not_sent_again():
    dataset, units = make_units(["supported", "supported"])
    send_all(dataset, units[:1])
    assert under_way(dataset) == {(units[0].pk, None)}
    with pytest.raises(DrawError, match="already sent"):
        send_all(dataset, units)


def test_gold_that_changed_meanwhile_is_not_sent():
    dataset, units = make_units(["supported"])
    before = dataset.gold_revision
    dataset.next_gold_revision()
    with pytest.raises(DrawError, match="changed"):
        send(dataset, [(units[0].pk, None)], 1, 7, before, person("dora"))


def test_a_unit_without_gold_is_not_sent():
    dataset, units = make_units(["supported"])
    GoldLabel.objects.update(superseded=dataset.next_gold_revision())
    with pytest.raises(DrawError, match="no gold"):
        send_all(dataset, units)


def test_a_unit_was_looked_at_until_its_gold_is_another():
    dataset, (unit,) = make_units(["supported"])
    (item,) = send_all(dataset, [unit])
    look_at(item, "ada", "supported")
    assert (looked_at(dataset), under_way(dataset)) == ({(unit.pk, None)}, set())
    unit.gold.update(superseded=dataset.next_gold_revision())
    add_gold(unit, "not_supported")
    assert looked_at(dataset) == set()


def test_lookers_are_annotators_who_never_had_the_task_nor_saw_its_labels():
    dataset, units = make_units(["supported", "supported"])
    rhea = make_person("rhea", dataset, "researcher")
    task = make_task(units[0].response)
    judge(task, person("ada"), {units[0]: "supported"})
    for name in ("ada", "ben"):
        note_receipt(task.pk, person(name), ViewReceipt.What.LABELS)
    note_receipt(task.pk, rhea, ViewReceipt.What.LABELS)
    note_receipt(task.pk, person("cleo"), ViewReceipt.What.TASK)
    assert lookers_by_response(dataset) == {units[0].response_id: 1, units[1].response_id: 3}
