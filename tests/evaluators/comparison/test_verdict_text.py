"""What the comparison says in words, from figures made up for it."""

from evaluators.comparison.evaluator_rows import EvaluatorRow
from evaluators.comparison.verdict_text import matrix_of, pairs_in_sentences, pairs_of, verdict_of


def line(name, rank, *, baseline=False, method="imported"):
    return EvaluatorRow(name, None, method, "", baseline, rank, (rank, rank) if rank else None, None, {}, None)


def pair(one, other, difference, better=None, p=0.5):
    ends = None if difference is None else [difference - 0.1, difference + 0.2]
    return {
        "one": one,
        "other": other,
        "n": 10,
        "difference": difference,
        "interval": ends,
        "p": None if difference is None else p / 3,
        "p_holm": None if difference is None else p,
        "p_adjusted": None if difference is None else p,
        "simultaneous_interval": ends,
        "better": better,
        "n_both_judged": 9,
        "difference_both_judged": difference,
        "p_accuracy": None,
        "mcnemar": None,
        "p_runs": None,
        "p_runs_floor": None,
    }


def document(*pairs):
    return {"pairs": list(pairs)}


EVERYTHING = line("everything", 3, baseline=True, method="always-not-supported")
ADA, BEN, CLEO = line("ada", 1), line("ben", 2), line("cleo", None)


def test_a_pair_is_turned_so_that_the_higher_comes_first():
    (found,) = pairs_of(document(pair("ben", "ada", -0.3, better="ada", p=0.01)))

    assert (found.first, found.second, found.difference, found.sure) == ("ada", "ben", 0.3, True)
    assert found.interval is not None
    assert [round(end, 9) for end in found.interval] == [0.1, 0.4]


def test_the_best_is_told_with_whom_it_beats_and_whom_it_does_not():
    pairs = pairs_of(
        document(
            pair("ada", "ben", 0.3, better="ada", p=0.01),
            pair("ada", "everything", 0.4, better="ada", p=0.01),
            pair("ben", "everything", 0.1),
        )
    )
    answer = verdict_of([ADA, BEN, EVERYTHING], pairs, "f1")

    assert (list(answer.best), list(answer.worse), list(answer.open)) == (["ada"], ["ben"], [])
    assert list(answer.no_better_than_all_errors) == ["ben"]


def test_nobody_is_best_where_no_figure_is_defined():
    answer = verdict_of([CLEO, EVERYTHING], [], "f1")

    assert (list(answer.best), list(answer.unranked)) == ([], [CLEO])


def test_a_figure_that_is_trivially_high_names_nobody_best():
    pairs = pairs_of(document(pair("ada", "ben", 0.3, better="ada", p=0.01)))
    answer = verdict_of([ADA, BEN, EVERYTHING], pairs, "recall")

    assert (list(answer.best), answer.trivially_high, list(answer.worse)) == ([], True, ["ben"])


def test_equals_at_the_top_are_named_together():
    lines = [ADA, line("dora", 1), line("ben", 3), EVERYTHING]

    assert list(verdict_of(lines, [], "f1").best) == ["ada", "dora"]


def test_an_evaluator_without_the_figure_is_in_no_sentence():
    pairs = pairs_of(document(pair("ada", "ben", 0.1), pair("ada", "cleo", None), pair("ben", "cleo", None)))

    assert [
        (sentences.first, sentences.second) for sentences in pairs_in_sentences([ADA, BEN, CLEO, EVERYTHING], pairs)
    ] == [("ada", "ben")]


def test_of_many_evaluators_only_the_pairs_with_the_first_are_told():
    lines = [line(f"judge {rank}", rank) for rank in range(1, 7)]
    names = [each.name for each in lines]
    pairs = pairs_of(
        document(*(pair(one, other, 0.1) for place, one in enumerate(names) for other in names[place + 1 :]))
    )

    assert {sentences.first for sentences in pairs_in_sentences(lines, pairs)} == {"judge 1"}
    assert len(pairs_in_sentences(lines, pairs)) == 5


def test_what_is_sure_is_told_first():
    pairs = pairs_of(
        document(pair("ada", "ben", 0.1), pair("ada", "dora", 0.3, "ada", 0.01), pair("ben", "dora", 0.2, "ben", 0.02))
    )

    assert [sentences.sure for sentences in pairs_in_sentences([ADA, BEN, line("dora", 3)], pairs)] == [
        True,
        True,
        False,
    ]


def test_the_matrix_is_of_the_row_less_the_column():
    (_, (nothing, above)), (_, (below, _)) = matrix_of([ADA, BEN], pairs_of(document(pair("ada", "ben", 0.3))))

    assert nothing is None
    assert above is not None and below is not None
    assert (above.difference, below.difference) == (0.3, -0.3)


def test_a_very_small_p_is_no_zero():
    (found,) = pairs_of(document(pair("ada", "ben", 0.3, "ada", 0.0001)))

    assert found.p_text == "p < 0.001"


def test_ranks_that_may_differ_are_a_range():
    assert EvaluatorRow("ada", None, "imported", "", False, 1, (1, 3), None, {}, None).ranks == "1–3"
    assert CLEO.ranks == ""
