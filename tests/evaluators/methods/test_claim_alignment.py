"""Claims of a method beside the units that people judge, worked by hand."""

from dataclasses import replace

import pytest

from evaluators.methods.base import NO_CLAIM, Claim, Judgement, Skip, align_claims, with_claims
from tests.evaluators.methods.cases import make_case

SENTENCES = ("Ada Lovelace was born in London in 1815.", "She wrote the first program.")
FACTS = [["Ada was born in London.", "Ada was born in 1815."], ["Ada wrote a program.", "The program was the first."]]


def places(case, *claims):
    """The (segment, fact) of the units of each claim, which is a text or a text with its segment."""
    made = [Claim(claim, "supported") if isinstance(claim, str) else Claim(claim[0], "supported", segment=claim[1])
            for claim in claims]  # fmt: skip
    return [[(unit.segment, unit.fact) for unit in units] for units in align_claims(case, made)]


def test_a_claim_of_a_known_segment_belongs_to_it_whatever_it_says():
    case = make_case(SENTENCES)

    assert places(case, ("The moon is a rock.", 1), ("Ada Lovelace was born in London.", 1)) == [
        [(1, None)],
        [(1, None)],
    ]


def test_a_claim_of_no_known_segment_belongs_to_the_one_that_holds_most_of_its_words():
    case = make_case(SENTENCES)

    # ada, lovelace, born, london | wrote, first, program (ada, lovelace are in the first: 2 of 5, less than 3 of 5).
    assert places(case, "Ada Lovelace was born in London.", "Ada Lovelace wrote the first program.") == [
        [(0, None)],
        [(1, None)],
    ]


def test_a_claim_that_no_unit_holds_half_of_is_aligned_to_none():
    assert places(make_case(SENTENCES), "Charles Babbage built an engine.") == [[]]


def test_a_claim_that_says_what_several_units_say_is_aligned_to_each_of_them():
    case = make_case(SENTENCES, facts=FACTS)

    # Four facts. A word of all but one weighs ln(1 + 4/3) = 0.85, of two ln 3 = 1.10, of one ln 5 = 1.61.
    # ada 0.85, born 1.10, london 1.61, 1815 1.61: the claim holds all of the first two facts.
    # Of "Ada wrote a program" it holds ada, 0.85 of 0.85 + 1.61 + 1.10 = 24 %; of the last nothing.
    assert places(case, "Ada Lovelace was born in London in 1815.") == [[(0, 0), (0, 1)]]


def test_a_claim_that_is_finer_than_a_unit_is_aligned_to_the_best_one():
    # born, ada: in both facts whole; the first of the two.
    assert places(make_case(SENTENCES, facts=FACTS), "Ada was born.") == [[(0, 0)]]


def test_four_fifths_of_a_unit_are_said_and_less_are_not():
    # Each word is in one of two units and weighs alike; the claim holds 4 of 5 words of the first, 3 of 4 of the
    # other, and neither holds half of it: six words of its own make it thirteen.
    facts = [["alpha beta gamma delta epsilon", "zeta eta theta iota"]]
    case = make_case(("Text.",), facts=facts)

    assert places(case, "alpha beta gamma delta zeta eta theta k l m n o p") == [[(0, 0)]]


def test_a_unit_of_a_single_content_word_is_said_only_where_it_fits_best():
    # "one" is a stop word: only odd is left of the first unit, and every claim about odd numbers holds it.
    case = make_case(("One is odd.", "Two is odd."))

    assert places(case, "Two is odd.", "One is odd.") == [[(1, None)], [(0, None)]]


def test_the_claims_own_segment_comes_first_and_others_only_where_it_has_nothing():
    facts = [["Ada was born in London."], ["Ada was born in London."], ["Ada died young."]]
    case = make_case(("A.", "B.", "C."), facts=facts)

    assert places(case, ("Ada was born in London.", 1)) == [[(1, 0)]]
    assert places(case, ("Ada was born in London.", 2)) == [[(0, 0), (1, 0)]]


def test_of_equal_units_it_is_the_first_from_the_claim_before():
    case = make_case(("Paris is large.", "Rome is old.", "Paris is large and grey."))

    # "Paris" stands in the first and in the last.
    assert places(case, "Rome is old.", "Paris") == [[(1, None)], [(2, None)]]


def test_alignment_does_not_depend_on_the_order_of_the_units():
    case = make_case(SENTENCES, facts=FACTS)
    claims = ("Ada was born.", "Ada wrote the first program.")

    assert places(replace(case, units=case.units[::-1]), *claims) == places(case, *claims)


def test_without_claims_or_words_there_is_nothing_to_align():
    assert places(make_case(SENTENCES)) == []
    assert places(make_case(SENTENCES), "Of the and.", "") == [[], []]


CLAIMED = {
    ("supported", "supported"): "supported",
    ("supported", "not_supported"): "not_supported",
    ("supported", None): None,
    (None, "not_supported"): "not_supported",
    ("irrelevant", "irrelevant"): "irrelevant",
    ("irrelevant", "supported"): "supported",
    ("irrelevant", "not_supported"): "not_supported",
    ("irrelevant", None): None,
    ("supported", "not_enough_evidence"): "not_enough_evidence",
    ("not_enough_evidence", None): None,
}


@pytest.mark.parametrize(("values", "value"), CLAIMED.items())
def test_a_unit_has_the_value_that_its_claims_leave_it(values, value):
    claims = [Claim("Ada was born.", each, segment=0) for each in values]

    first, second, *said = with_claims(make_case(SENTENCES), claims)

    assert isinstance(first, Judgement)
    assert first.value == value
    assert second == Skip(make_case(SENTENCES).units[1], NO_CLAIM)
    assert said == claims


def test_a_unit_has_the_lowest_score_of_its_claims_all_reasons_and_each_answer_once():
    claims = [
        Claim("Ada was born.", "supported", 0.9, "as a page says", (1, 2), 0),
        Claim("Ada was tall.", "not_supported", 0.2, "", (1, 3), 0),
        Claim("She wrote.", "supported", None, "", (1,), 1),
        Claim("She wrote a program.", "supported", 0.7, "", (1,), 1),
    ]

    first, second, *_ = with_claims(make_case(SENTENCES), claims)

    assert first == Judgement(
        make_case(SENTENCES).units[0],
        "not_supported",
        0.2,
        "Ada was born. – as a page says\nAda was tall.",
        (1, 2, 3),
    )
    assert isinstance(second, Judgement)
    assert second.score is None


def test_units_whose_claims_could_not_be_read_are_unparsed_but_for_those_that_have_one():
    case = make_case(SENTENCES)

    first, second, _ = with_claims(case, [Claim("Ada was born.", "supported", segment=0)], {0: (5,), 1: (5,)})

    assert isinstance(first, Judgement)
    assert (first.value, second) == ("supported", Judgement(case.units[1], None, calls=(5,)))
