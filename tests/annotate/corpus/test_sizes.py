"""Sizes of a corpus, worked by hand."""

import pytest

from annotate.adjudication.whole import settle_removal
from annotate.models import Prompt
from annotate.statistics.figures import build_dataset_stats
from stats.sizes import words_of_response, words_of_sentence
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response


def test_words_of_a_response_are_the_pieces_between_single_spaces():
    assert words_of_response("one  two\nthree") == 3
    assert words_of_sentence("one  two\nthree") == 3
    assert words_of_response("one  two") == 3
    assert words_of_sentence("one  two") == 2


@pytest.mark.django_db
def test_felm_sizes_by_domain():
    dataset = make_dataset()
    first, second = make_response(dataset).segments.all()
    (third,) = make_response(dataset, ["Paris is in Spain, they say."], domain="wk").segments.all()
    make_response(dataset, ["Nobody judged this."], domain="wk")
    add_gold(first, "supported", error_type="fooled")
    add_gold(second, "not_supported")
    add_gold(third, "not_supported", error_type="knowledge")
    Prompt.objects.filter(domain="math").update(source="handwritten")

    everything, math, wk = build_dataset_stats(dataset)["slices"]
    assert [row["domain"] for row in (everything, math, wk)] == ["all", "math", "wk"]
    assert (everything["responses"], everything["segments"], everything["responses_with_error"]) == (3, 4, 2)
    assert (everything["correct"], everything["error"], everything["unlabelled"]) == (1, 2, 1)
    # The third response has no gold.
    assert (everything["responses_with_gold"], everything["error_rate"]) == (2, 1.0)
    assert (wk["responses_with_gold"], wk["error_rate"]) == (1, 1.0)
    # The type of a correct segment is no error's.
    assert everything["error_types"] == {"none": 1, "knowledge": 1}
    assert everything["sources"] == {"handwritten": 1}
    # 6 words in 1 response of 2 segments; 6 + 3 words in 2 responses of 1 segment each.
    assert (math["avg_response_words"], math["avg_segment_words"]) == (6, 3)
    assert (wk["avg_response_words"], wk["avg_segment_words"]) == (4.5, 4.5)


@pytest.mark.django_db
def test_the_share_with_an_error_is_of_responses_whose_every_unit_has_gold():
    """Of five responses: one complete and right, one complete with an error, one half labelled with an error, one half
    labelled and right so far, one without gold."""
    dataset = make_dataset()
    labels = (("supported", "supported"), ("supported", "not_supported"), ("not_supported", None), ("supported", None))
    for values in (*labels, (None, None)):
        for segment, value in zip(make_response(dataset).segments.all(), values, strict=True):
            if value:
                add_gold(segment, value)
    make_response(dataset, domain="wk")
    everything, _, wk = build_dataset_stats(dataset)["slices"]
    assert (everything["responses_with_error"], everything["responses_with_gold"]) == (2, 2)
    assert everything["error_rate"] == 0.5
    assert (wk["responses_with_gold"], wk["error_rate"]) == (0, None)


@pytest.mark.django_db
def test_what_was_removed_is_no_part_of_the_sizes():
    dataset = make_dataset()
    for segment in make_response(dataset).segments.all():
        add_gold(segment, "supported")
    (third,) = make_response(dataset, ["Paris is in Spain, they say."], domain="wk").segments.all()
    add_gold(third, "not_supported")
    settle_removal(third.response, make_person("dora"), keep=False, why="It asks for nothing.")

    everything, math = build_dataset_stats(dataset)["slices"]
    assert (everything["domain"], math["domain"]) == ("all", "math")
    assert (everything["responses"], everything["segments"], everything["avg_response_words"]) == (1, 2, 6)
    assert (everything["correct"], everything["error"], everything["unlabelled"]) == (2, 0, 0)


@pytest.mark.django_db
def test_factscore_sizes():
    dataset = make_dataset(scheme="factscore")
    texts = ["Ada wrote and sang.", "She lived.", "The sea is wide."]
    life = make_response(dataset, texts, prompt="Ada", subject="amber")
    wrote, sang, lived = add_facts(life, [["Ada wrote.", "Ada sang."], ["She lived."], []])
    add_facts(life, [["Ada wrote and sang."], ["She lived."], ["The sea is wide.", "It is a sea."]], origin="model")
    for fact, value in ((wrote, "supported"), (sang, "not_supported"), (lived, "supported")):
        add_gold(fact, value)
    add_gold(life.segments.last(), "irrelevant")

    (amber,) = build_dataset_stats(dataset)["subjects"]
    # 3 human facts and the 2 model facts of the irrelevant sentence; 4 + 2 words in the two relevant ones.
    assert (amber["facts_per_response"], amber["sentences_per_response"], amber["tokens_per_response"]) == (5, 3, 6)
    assert (amber["facts_per_sentence"], amber["mixed_sentences"]) == (1.5, 0.5)
    assert (amber["split"], amber["merged"]) == (0.5, 0)


@pytest.mark.django_db
def test_facts_that_no_model_proposed_are_neither_split_nor_merged():
    dataset = make_dataset(scheme="factscore")
    life = make_response(dataset, ["Ada wrote and sang."], prompt="Ada", subject="amber")
    add_gold(add_facts(life, [["Ada wrote and sang."]])[0], "supported")
    add_facts(life, [["Ada wrote.", "Ada sang."]], origin="model")
    by_hand = make_response(dataset, ["Otto sang."], prompt="Otto", subject="amber")
    add_gold(add_facts(by_hand, [["Otto sang."]])[0], "supported")

    (amber,) = build_dataset_stats(dataset)["subjects"]

    assert (amber["split"], amber["merged"]) == (0, 1)
