"""What a second look contradicts is settled: gold is changed by a decision, or stands."""

import pytest

from annotate.adjudication.decide import decide
from annotate.cases.addresses import last_decision
from annotate.models import GoldLabel, SecondLookItem, User
from annotate.second_look.cases import LookStatus, cases_of, open_cases, settled_items
from annotate.second_look.settle import state_of, take, uphold
from ratings.errors import SettleError
from tests.annotate.second_look.work import case_of, look_at, make_units, send_all

pytestmark = pytest.mark.django_db


def dora():
    return User.objects.get(username="dora")


def read(item):
    """What Dora has read by now."""
    return state_of(case_of(item))


@pytest.fixture
def item():
    dataset, (unit,) = make_units(["supported"])
    return send_all(dataset, [unit])[0]


def test_what_says_what_gold_says_is_confirmed(item):
    look_at(item, "ada", "supported")
    assert case_of(item).status is LookStatus.CONFIRMED
    assert open_cases(item.sample.dataset) == []


def test_what_contradicts_gold_waits_for_an_adjudicator(item):
    assert case_of(item).status is LookStatus.WAITING
    look_at(item, "ada", "not_supported")
    assert [case.item for case in open_cases(item.sample.dataset)] == [item]


def test_another_kind_of_error_does_not_contradict_an_error():
    dataset, (unit,) = make_units(["not_supported"])
    (item,) = send_all(dataset, [unit])
    look_at(item, "ada", "irrelevant")
    assert case_of(item).status is LookStatus.CONFIRMED


def test_more_than_half_contradict_or_gold_is_not_contradicted():
    dataset, (unit,) = make_units(["supported"])
    (item,) = send_all(dataset, [unit], wants=2)
    look_at(item, "ada", "not_supported")
    look_at(item, "ben", "supported")
    case = case_of(item)
    assert (case.is_contradicted, case.status) == (False, LookStatus.OPEN)


def test_taking_a_look_makes_gold_with_who_and_why(item):
    look = look_at(item, "ada", "not_supported", "Two is even.", "https://two.example/")
    take(item, look.pk, "The page says so.", dora(), read(item))
    gold = GoldLabel.objects.current().get(segment=item.segment)
    assert (gold.value, gold.reason, gold.source) == ("not_supported", "Two is even.", "adjudicated")
    assert (gold.adjudication.who, gold.adjudication.why) == (dora(), "The page says so.")
    assert [link.url for link in gold.references.all()] == ["https://two.example/"]
    assert GoldLabel.objects.filter(segment=item.segment, superseded=gold.revision).count() == 1
    case = case_of(item)
    assert (case.status, case.settlement.adjudication, case.sent.value) == (
        LookStatus.CHANGED,
        gold.adjudication,
        "supported",
    )


def test_gold_that_stands_stays_as_it_was(item):
    look_at(item, "ada", "not_supported")
    uphold(item, "She overlooked a word.", dora(), read(item))
    assert case_of(item).status is LookStatus.STANDS
    assert GoldLabel.objects.count() == 1
    assert [each.settlement.why for each in settled_items(item.sample.dataset)] == ["She overlooked a word."]


def test_gold_decided_otherwise_meanwhile_counts_as_changed(item):
    look_at(item, "ada", "not_supported")
    decide((item.segment_id, None), dora(), "not_supported", "reasoning", why="A slip.")
    assert case_of(item).is_revised
    uphold(item, "Settled by itself.", dora(), read(item))
    assert case_of(item).status is LookStatus.CHANGED


def test_two_adjudicators_do_not_overrule_each_other_unawares(item):
    look = look_at(item, "ada", "not_supported")
    seen = read(item)
    decide((item.segment_id, None), dora(), "supported", why="I looked.")
    with pytest.raises(SettleError, match="has changed"):
        take(item, look.pk, "So.", dora(), seen)
    with pytest.raises(SettleError, match="has changed"):
        uphold(item, "So.", dora(), seen)
    assert case_of(item).status is LookStatus.OPEN


@pytest.mark.parametrize(
    ("value", "reason", "link"),
    [
        ("irrelevant", "It is even.", "https://two.example/"),
        ("not_supported", "It is even, really.", "https://two.example/"),
        ("not_supported", "It is even.", "https://other.example/"),
    ],
)
def test_a_look_that_was_changed_after_it_was_read_is_not_taken(item, value, reason, link):
    look = look_at(item, "ada", "not_supported", "It is even.", "https://two.example/")
    seen = read(item)
    look_at(item, "ada", value, reason, link)
    with pytest.raises(SettleError, match="has changed"):
        take(item, look.pk, "She is right that it is even.", dora(), seen)
    with pytest.raises(SettleError, match="has changed"):
        uphold(item, "She is wrong.", dora(), seen)
    assert GoldLabel.objects.count() == 1
    assert case_of(item).status is LookStatus.OPEN


def test_what_nobody_contradicts_any_more_is_not_settled(item):
    look = look_at(item, "ada", "not_supported")
    seen = read(item)
    look_at(item, "ada", "supported")
    for now in (seen, read(item)):
        with pytest.raises(SettleError, match="No second look differs"):
            take(item, look.pk, "She is right.", dora(), now)
    assert GoldLabel.objects.count() == 1


def test_what_is_settled_is_not_settled_again(item):
    look = look_at(item, "ada", "not_supported")
    seen = read(item)
    uphold(item, "It stands.", dora(), seen)
    with pytest.raises(SettleError, match="in the meantime"):
        take(item, look.pk, "No.", dora(), seen)
    assert last_decision((item.segment_id, None)) is None


@pytest.mark.parametrize(
    ("why", "looks", "match"), [(" ", 1, "say why"), ("So.\x00", 1, "cannot keep"), ("So.", 0, "looked yet")]
)
def test_what_cannot_be_settled(item, why, looks, match):
    if looks:
        look = look_at(item, "ada", "not_supported")
        with pytest.raises(SettleError, match=match):
            take(item, look.pk, why, dora(), read(item))
    with pytest.raises(SettleError, match=match):
        uphold(item, why, dora(), read(item))
    assert case_of(item).settlement is None


def test_units_that_were_sent_at_several_revisions_are_no_more_queries(django_assert_num_queries):
    dataset, units = make_units(["supported"] * 4)
    items = []
    for unit in units:
        items += send_all(dataset, [unit])
        look_at(items[-1], "ada", "not_supported")
        dataset.next_gold_revision()
    decide((units[0].pk, None), dora(), "not_supported", "reasoning", why="A slip.")
    with django_assert_num_queries(5):
        cases = cases_of(SecondLookItem.objects.of(dataset).order_by("pk"))
    assert [case.sent.value for case in cases] == ["supported"] * 4
    assert [case.now.value for case in cases] == ["not_supported", "supported", "supported", "supported"]
