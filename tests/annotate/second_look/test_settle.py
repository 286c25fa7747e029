"""What a second look contradicts is settled: gold is changed by a decision, or stands."""

import pytest

from annotate.adjudication.addresses import last_decision
from annotate.adjudication.decide import decide
from annotate.models import GoldLabel, User
from annotate.second_look.cases import Standing, open_cases, settled_cases
from annotate.second_look.settle import SettleError, last_decided, take, uphold
from tests.annotate.second_look.work import case_of, look_at, make_units, send_all

pytestmark = pytest.mark.django_db


def dora():
    return User.objects.get(username="dora")


@pytest.fixture
def item():
    dataset, (unit,) = make_units(["supported"])
    return send_all(dataset, [unit])[0]


def test_what_says_what_gold_says_is_confirmed(item):
    look_at(item, "ada", "supported")
    assert case_of(item).standing is Standing.CONFIRMED
    assert open_cases(item.second_look.dataset) == []


def test_what_contradicts_gold_waits_for_an_adjudicator(item):
    assert case_of(item).standing is Standing.WAITING
    look_at(item, "ada", "not_supported")
    assert [case.item for case in open_cases(item.second_look.dataset)] == [item]


def test_another_kind_of_error_does_not_contradict_an_error():
    dataset, (unit,) = make_units(["not_supported"])
    (item,) = send_all(dataset, [unit])
    look_at(item, "ada", "irrelevant")
    assert case_of(item).standing is Standing.CONFIRMED


def test_more_than_half_contradict_or_gold_is_not_contradicted():
    dataset, (unit,) = make_units(["supported"])
    (item,) = send_all(dataset, [unit], wants=2)
    look_at(item, "ada", "not_supported")
    look_at(item, "ben", "supported")
    case = case_of(item)
    assert (case.is_contradicted, case.standing) == (False, Standing.OPEN)


def test_taking_a_look_makes_gold_with_who_and_why(item):
    look = look_at(item, "ada", "not_supported", "Two is even.", "https://two.example/")
    take(case_of(item), look, "The page says so.", dora(), None)
    gold = GoldLabel.objects.current().get(segment=item.segment)
    assert (gold.value, gold.reason, gold.source) == ("not_supported", "Two is even.", "adjudicated")
    assert (gold.adjudication.who, gold.adjudication.why) == (dora(), "The page says so.")
    assert [link.url for link in gold.references.all()] == ["https://two.example/"]
    assert GoldLabel.objects.filter(segment=item.segment, superseded=gold.revision).count() == 1
    case = case_of(item)
    assert (case.standing, case.item.adjudication, case.sent.value) == (
        Standing.CHANGED,
        gold.adjudication,
        "supported",
    )


def test_gold_that_stands_stays_as_it_was(item):
    look_at(item, "ada", "not_supported")
    uphold(case_of(item), "She overlooked a word.", dora())
    assert case_of(item).standing is Standing.STANDS
    assert GoldLabel.objects.count() == 1
    assert [case.item.why for case in settled_cases(item.second_look.dataset)] == ["She overlooked a word."]


def test_gold_decided_otherwise_meanwhile_counts_as_changed(item):
    look_at(item, "ada", "not_supported")
    decide((item.segment_id, None), dora(), "not_supported", "reasoning", why="A slip.")
    case = case_of(item)
    assert case.is_revised
    uphold(case, "Settled by itself.", dora())
    assert case_of(item).standing is Standing.CHANGED


def test_two_adjudicators_do_not_overrule_each_other_unawares(item):
    look = look_at(item, "ada", "not_supported")
    case, seen = case_of(item), last_decided(case_of(item))
    decide((item.segment_id, None), dora(), "supported", why="I looked.")
    with pytest.raises(SettleError, match="meanwhile"):
        take(case, look, "So.", dora(), seen)
    assert case_of(item).standing is Standing.OPEN


def test_what_is_settled_is_not_settled_again(item):
    look = look_at(item, "ada", "not_supported")
    before = case_of(item)
    uphold(before, "It stands.", dora())
    with pytest.raises(SettleError, match="meanwhile"):
        take(before, look, "No.", dora(), None)
    assert last_decision((item.segment_id, None)) is None


@pytest.mark.parametrize(("why", "looks", "match"), [(" ", 1, "Say why"), ("So.", 0, "looked yet")])
def test_what_cannot_be_settled(item, why, looks, match):
    if looks:
        look_at(item, "ada", "not_supported")
    with pytest.raises(SettleError, match=match):
        uphold(case_of(item), why, dora())
