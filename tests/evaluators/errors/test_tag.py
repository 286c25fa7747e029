"""Two people tag a sample: places, changes, undo, handing in, settling."""

import pytest

from evaluators.errors.causes import CauseError, add_cause, causes_of
from evaluators.errors.tag import give_up, hand_in, settle, tag, take_place, undo
from ratings.errors import RatingError, SettleError
from tests.evaluators.errors.work import every_cause, make_mistakes, researcher, sample_of, tag_all
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def analysis():
    return sample_of(make_mistakes(3)[1], 3)


@pytest.fixture
def rhea(analysis):
    return researcher("rhea", analysis.run.dataset)


@pytest.fixture
def rob(analysis):
    return researcher("rob", analysis.run.dataset)


def test_two_have_places_and_a_third_has_none(analysis, rhea, rob):
    assert {take_place(analysis, each).place for each in (rhea, rob, rhea)} == {0, 1}
    with pytest.raises(RatingError, match="Two people"):
        take_place(analysis, make_person("sue"))


def test_a_place_that_was_given_up_is_free_and_its_tags_are_dropped(analysis, rhea, rob):
    tagger = tag_all(analysis, rhea, 0, 1, 2, done=False)
    take_place(analysis, rob)
    give_up(tagger)
    assert take_place(analysis, make_person("sue")).place == 0
    assert not analysis.items.filter(ratings__isnull=False).exists()


def test_a_tag_changes_in_place_until_it_is_handed_in(analysis, rhea):
    tagger = tag_all(analysis, rhea, 0, 0, 0, done=False)
    first = analysis.items.get(position=0)
    tag(tagger, first, every_cause(analysis)[4], "Gold is wrong.")
    assert [(each.cause.name, each.note) for each in first.ratings.all()] == [("Annotation error", "Gold is wrong.")]
    hand_in(tagger)
    with pytest.raises(RatingError, match="You have submitted"):
        tag(tagger, first, every_cause(analysis)[0])
    assert first.ratings.get().cause.name == "Annotation error"


def test_undo_takes_the_last_tags_back_one_by_one(analysis, rhea):
    tagger = tag_all(analysis, rhea, 0, 1, 2, done=False)
    assert [undo(tagger).position, undo(tagger).position] == [2, 1]
    assert tagger.tags.get().item.position == 0


def test_undo_without_a_tag_does_nothing(analysis, rhea):
    assert undo(take_place(analysis, rhea)) is None


def test_who_has_not_tagged_all_cannot_hand_in(analysis, rhea):
    tagger = take_place(analysis, rhea)
    tag(tagger, analysis.items.get(position=0), every_cause(analysis)[0])
    with pytest.raises(RatingError, match="2 mistakes"):
        hand_in(tagger)


def test_one_alone_is_not_both(analysis, rhea, rob):
    tag_all(analysis, rhea, 0, 0, 0)
    assert not analysis.is_complete()
    tag_all(analysis, rob, 0, 0, 0)
    assert analysis.is_complete()


def test_a_difference_is_settled_with_who_and_why(analysis, rhea, rob):
    tag_all(analysis, rhea, 0, 0, 0)
    tag_all(analysis, rob, 1, 0, 0)
    mistake = analysis.items.get(position=0)
    settle(mistake, every_cause(analysis)[3], "It had the passage.", rhea)
    mistake.refresh_from_db()
    assert (mistake.settlement.cause.name, mistake.settlement.settled_by, mistake.settlement.why) == (
        "Wrong despite the right passage",
        rhea,
        "It had the passage.",
    )


@pytest.mark.parametrize(
    ("position", "why", "match"),
    [(0, " ", "Say why"), (1, "So.", "Both tags are the same"), (0, "x" * 2001, "at most")],
)
def test_what_cannot_be_settled(analysis, rhea, rob, position, why, match):
    tag_all(analysis, rhea, 0, 0, 0)
    tag_all(analysis, rob, 1, 0, 0)
    with pytest.raises(SettleError, match=match):
        settle(analysis.items.get(position=position), every_cause(analysis)[0], why, rhea)


def test_nothing_is_settled_before_both_have_handed_in(analysis, rhea, rob):
    tag_all(analysis, rhea, 0, 0, 0)
    tag_all(analysis, rob, 1, 0, 0, done=False)
    with pytest.raises(SettleError, match="Both"):
        settle(analysis.items.get(position=0), every_cause(analysis)[0], "So.", rhea)


def test_a_dataset_begins_with_the_causes_of_table_14_and_adds_its_own():
    dataset = make_dataset()
    assert len(causes_of(dataset)) == 5
    add_cause(dataset, " Old  page ", "The page has changed since.", make_person("rhea"))
    assert [each.name for each in causes_of(dataset)][4:] == ["Annotation error", "Old page"]


@pytest.mark.parametrize(("name", "match"), [("", "name"), ("context-Dependent", "already"), ("x" * 81, "at most")])
def test_what_is_no_cause(name, match):
    with pytest.raises(CauseError, match=match):
        add_cause(make_dataset(), name, "", make_person("rhea"))


def test_there_is_a_cause_for_each_digit_and_no_more():
    dataset, rhea = make_dataset(), make_person("rhea")
    for number in range(4):
        add_cause(dataset, f"cause {number}", "", rhea)
    with pytest.raises(CauseError, match="9"):
        add_cause(dataset, "a tenth", "", rhea)
