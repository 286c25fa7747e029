"""FActScore of subject models, worked by hand on three prompts."""

import pytest

from annotate.adjudication.whole import settle_removal
from annotate.statistics.figures import build_dataset_stats
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

SHORT = {"S": "supported", "N": "not_supported", "I": "irrelevant"}


def add_life(dataset, prompt, subject, facts, frequency="rare"):
    """A response of one sentence with facts of this gold; without any it abstained."""
    response = make_response(
        dataset, ["A sentence."] * bool(facts), prompt=prompt, subject=subject, frequency=frequency
    )
    if not facts:
        response.abstained = True
        response.save()
        return response
    for fact, letter in zip(add_facts(response, [["A fact."] * len(facts)]), facts, strict=True):
        add_gold(fact, SHORT[letter])
    return response


@pytest.fixture
def stats():
    dataset = make_dataset(scheme="factscore")
    ada = add_life(dataset, "Ada", "amber", "SSNI")
    add_life(dataset, "Ben", "amber", "SN", "freq")
    cleo = add_life(dataset, "Cleo", "amber", "")
    add_life(dataset, ada.prompt, "basalt", "S")
    add_life(dataset, cleo.prompt, "basalt", "N")
    return build_dataset_stats(dataset)


def test_the_score_is_the_mean_over_responses(stats):
    amber = stats["subjects"][0]
    assert (amber["prompts"], amber["responding"]) == (3, 2)
    # (2/4 + 1/2)/2
    assert amber["factscore"] == pytest.approx(0.5)


def test_shares_are_over_all_prompts(stats):
    amber = stats["subjects"][0]
    assert amber["supported"] == pytest.approx((2 / 4 + 1 / 2) / 3)
    assert amber["not_supported"] == pytest.approx((1 / 4 + 1 / 2) / 3)
    assert amber["irrelevant"] == pytest.approx(1 / 4 / 3)
    assert amber["abstained"] == pytest.approx(1 / 3)


def test_by_frequency_an_abstention_counts_nothing_and_beside_it_is_left_out(stats):
    amber = stats["subjects"][0]
    assert amber["by_frequency"] == {"rare": 0.25, "freq": 0.5}
    assert amber["by_frequency_responding"] == {"rare": 0.5, "freq": 0.5}


def test_by_relative_position(stats):
    # Facts 0 to 3 of Ada's fall in bins 0, 1, 2, 3, Ben's two in bins 0 and 2.
    assert stats["subjects"][0]["by_position"] == [1.0, 1.0, 0.0, 0.0, None]


def test_subjects_are_compared_over_the_prompts_to_which_all_responded(stats):
    assert stats["common_prompts"] == {"n": 1, "factscore": {"amber": 0.5, "basalt": 1.0}}


def test_what_was_removed_counts_nowhere_an_abstention_neither():
    dataset, dora = make_dataset(scheme="factscore"), make_person("dora")
    add_life(dataset, "Ada", "amber", "S")
    for removed in (add_life(dataset, "Ben", "amber", ""), add_life(dataset, "Cleo", "basalt", "N")):
        settle_removal(removed, dora, keep=False, why="The question is no question.")
    stats = build_dataset_stats(dataset)
    [amber] = stats["subjects"]
    assert (amber["subject"], amber["prompts"], amber["abstained"]) == ("amber", 1, 0.0)
    assert amber["by_frequency"] == {"rare": 1.0}
    assert (stats["slices"][0]["responses"], stats["slices"][0]["unlabelled"]) == (1, 0)


def test_a_response_without_labels_counts_nowhere():
    dataset = make_dataset(scheme="factscore")
    add_life(dataset, "Ada", "amber", "S")
    add_facts(make_response(dataset, ["A sentence."], prompt="Ben", subject="amber"), [["A fact."]])
    amber = build_dataset_stats(dataset)["subjects"][0]
    assert (amber["prompts"], amber["responding"], amber["factscore"], amber["supported"]) == (2, 1, 1.0, 1.0)
