"""The best passages for a query."""

from knowledge.bm25 import PassageIndex, rank_by_okapi


def test_the_passage_that_shares_the_rarer_word_is_best():
    index = PassageIndex(["A river in France.", "A river in Spain.", "A river in Italy."])

    assert index.search(["river", "spain"], 1) == ["A river in Spain."]


def test_a_word_that_every_passage_holds_still_counts_for_the_one_that_holds_it_more():
    index = PassageIndex(["Bees dance, ants march, wasps rest.", "Bees follow bees."])

    assert index.search(["bees"], 1) == ["Bees follow bees."]


def test_a_match_comes_before_no_match_in_a_corpus_of_two():
    # Okapi's idf of a word in one of two passages is log(1.5 / 1.5) = 0: it could not tell the two apart.
    index = PassageIndex(["Ants march.", "Bees dance."])

    assert index.search(["bees"], 2) == ["Bees dance.", "Ants march."]


def test_alike_passages_keep_their_order():
    index = PassageIndex(["Bees dance (1).", "Bees dance (2).", "Bees dance (3)."])

    assert index.search(["bees"], 3) == ["Bees dance (1).", "Bees dance (2).", "Bees dance (3)."]


def test_passages_without_content_are_left_out():
    index = PassageIndex(["--", "It is.", "Bees dance."])

    assert index.search(["bees"], 9) == ["Bees dance."]


def test_an_index_of_nothing_is_false_and_finds_nothing():
    for empty in (PassageIndex([]), PassageIndex(["", "of the"])):
        assert not empty
        assert empty.search(["bees"], 3) == []


def test_a_ranking_counts_the_passages_that_were_left_out():
    index = PassageIndex(["--", "Ants march.", "Bees dance."])

    assert index.ranking(["bees"]) == [2, 1]


def test_okapi_ranks_words_between_white_space_case_and_punctuation_counted():
    passages = ["bo ran", "Bo. ran", "Bo ran off", "Cy sat", "Di sat"]
    # "Bo" is in the third alone; the others share no word and keep their order.
    assert rank_by_okapi(passages, "Bo") == [2, 0, 1, 3, 4]


def test_okapi_may_put_what_shares_a_word_last():
    # Two of three passages have "Bo" and "ran": ln 1.5 - ln 2.5 = -0.511 each; "Cy" has +0.511. What is negative
    # becomes a quarter of the mean, -0.043, and stays below 0.
    assert rank_by_okapi(["Bo ran", "Bo ran", "Cy"], "Bo") == [2, 0, 1]
    assert rank_by_okapi([" "], "Bo") == [0]
    assert rank_by_okapi([], "Bo") == []
