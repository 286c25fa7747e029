"""Scoring with retrieval: which tokens are scored under which passage, by hand."""

import asyncio

import pytest

from factor.language_models.base import NotScorableError
from factor.language_models.endpoint import EndpointModel
from factor.retrieval.model import RetrievedPassage, RetrievingModel, Under
from tests.factor.language_models.byte_server import ByteServer
from tests.factor.word_model import WordModel, logprob


class Shelf:
    """Finds for a query the passage of its last word; keeps the queries."""

    def __init__(self, **texts):
        self.found = {word: RetrievedPassage(key, text) for key, (word, text) in enumerate(texts.items(), 1)}
        self.queries = []

    async def best(self, query):
        self.queries.append(query)
        return self.found.get(query.split()[-1]) if query.split() else None


def score(shelf, prefix, *continuations, context_length=1024, **how):
    model = WordModel()
    retrieving = RetrievingModel(model, shelf, **{"stride": 2, "query_tokens": 2, **how})
    return asyncio.run(retrieving.score(prefix, continuations, context_length)), model.asked


def logprobs(scored):
    return [token.logprob for token in scored.tokens]


def test_each_stride_is_scored_under_its_own_passage():
    (scored,), _ = score(Shelf(sat="On\nmats\n", the="Cat\nmat lay\n"), "cats sat", " on the mat today")

    # "cats sat" finds the first passage for "on the", "on the" the second for "mat today".
    first, second = ["On", "mats", "cats", "sat"], ["Cat", "mat", "lay", "cats", "sat"]
    assert logprobs(scored) == [
        logprob("on", first),
        logprob("the", [*first, "on"]),
        logprob("mat", [*second, "on", "the"]),
        logprob("today", [*second, "on", "the", "mat"]),
    ]
    assert scored.under == (Under(0, 1), Under(2, 2))


def test_the_tokens_cover_the_continuation_as_without_retrieval():
    (scored,), _ = score(Shelf(sat="On\n", the="Cat\n"), "cats sat", " on the mat today")
    plain = asyncio.run(WordModel().score("cats sat", [" on the mat today"], 1024))[0]

    assert [(t.start, t.end) for t in scored.tokens] == [(t.start, t.end) for t in plain.tokens]


def test_where_nothing_is_found_the_tokens_are_scored_without():
    (scored,), _ = score(Shelf(the="Cat\n"), "cats sat", " on the mat")
    plain = asyncio.run(WordModel().score("cats sat", [" on the mat"], 1024))[0]

    assert logprobs(scored)[:2] == logprobs(plain)[:2]
    assert logprobs(scored)[2] != logprobs(plain)[2]
    assert scored.under == (Under(0, None), Under(2, 1))


def test_without_a_prefix_the_first_stride_has_nothing_to_look_up():
    (scored,), _ = score(Shelf(the="Cat\n"), "", "on the mat")

    assert scored.under == (Under(0, None), Under(2, 1))


def test_continuations_of_one_prefix_share_the_first_lookup_and_its_input():
    shelf = Shelf(sat="On\n")

    _, asked = score(shelf, "cats sat", " on mats", " on rugs", " under it")

    assert shelf.queries == ["cats sat"]
    assert asked == [("On\ncats sat", [" on mats", " on rugs", " under it"])]


def test_a_passage_that_several_strides_find_is_read_once():
    shelf = Shelf(sat="On\n", on="Off\n")
    _, asked = score(shelf, "cats sat", " on mats sat on and on and sat ever since", stride=1)

    assert [before for before, _ in asked] == ["On\ncats sat", "Off\ncats sat", "cats sat"]


def test_only_a_continuation_that_needs_a_passage_is_run_with_it():
    _, asked = score(Shelf(sat="On\n", mats="Mat\n", rugs="Rug\n"), "cats sat", " on mats now", " on rugs now")

    assert asked[1:] == [("Mat\ncats sat", [" on mats now"]), ("Rug\ncats sat", [" on rugs now"])]


def test_input_is_cut_between_passage_and_prefix():
    prefix = " ".join(f"w{n}" for n in range(40)) + " sat"

    (scored,), asked = score(Shelf(sat="Mats\nare flat\n"), prefix, " on them", context_length=20)

    # 20 tokens less 4 of a margin, 4 of the passage and 2 of the continuation leave 10 of the prefix.
    assert asked[0][0] == "Mats\nare flat\n" + "".join(f" w{n}" for n in range(31, 40)) + " sat"
    assert scored.prefix_tokens == 13


def test_a_passage_takes_at_most_a_quarter_of_the_context():
    passage = "".join(f"p{n} " for n in range(50))

    _, asked = score(Shelf(sat=passage), "cats sat", " on them", context_length=20)

    assert asked[0][0] == "p0 p1 p2 p3 p4\ncats sat"


def test_a_passage_has_at_most_so_many_tokens():
    _, asked = score(Shelf(sat="a b c d"), "cats sat", " on them", passage_tokens=2)

    assert asked[0][0] == "a b\ncats sat"


def test_a_passage_longer_than_the_model_takes_at_once_is_read_in_pieces():
    # 20 tokens are taken; the passage has 60, a byte each. Of it a quarter of a context of 16 is used.
    server = ByteServer(20)
    shelf = Shelf(sat="paper " * 10)

    async def main():
        return await RetrievingModel(EndpointModel(server, 1), shelf).score("sat", [" on"], 16)

    (scored,) = asyncio.run(main())

    assert "pape\nsat on" in server.sent
    assert scored.under == (Under(0, 1),)


def test_a_continuation_that_does_not_fit_has_no_score_and_the_others_have():
    (short, long), _ = score(Shelf(sat="On\n"), "cats sat", " on mats", " on" * 30, context_length=20)

    assert len(short.tokens) == 2
    assert isinstance(long, NotScorableError)


def test_the_same_asked_twice_gives_the_same():
    asked = (Shelf(sat="On\n", the="Cat\n"), "cats sat", " on the mat today")

    assert score(*asked) == score(*asked)


def test_a_retrieved_word_is_more_probable():
    (with_passage,), _ = score(Shelf(sat="Mats are flat\n"), "cats sat", " Mats")
    (without,), _ = score(Shelf(), "cats sat", " Mats")

    assert with_passage.mean > without.mean
    assert with_passage.mean == pytest.approx(-6.2196, abs=1e-4)  # log(2 / 1005)
