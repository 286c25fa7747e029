"""The printed tables held against themselves: what is known of them is found, and what agrees is left alone."""

from annotate.corpus.published import FACTSCORE_TABLE_2, FELM_TABLE_2
from evaluators.reproduction.factscore_checks import check_factscore
from evaluators.reproduction.felm_checks import check_felm
from evaluators.reproduction.printed import Check, Contradiction, printed

# Error and correct segments of the published file (figures measured on it independently).
FILE = {
    "all": (787, 3639),
    "wk": (147, 385),
    "reasoning": (146, 879),
    "math": (125, 474),
    "science": (102, 582),
    "writing_rec": (267, 1319),
}


def found_by(checks: list[Check], beginning: str) -> Check:
    return next(each for each in checks if each.rule.startswith(beginning))


def cell_of(made: Check, words: str) -> Contradiction:
    return next(each for each in made.contradictions if words in each.cell)


def test_every_printed_f1_is_the_harmonic_mean_of_its_precision_and_recall() -> None:
    made = found_by(check_felm(FILE), "F1 is")
    assert (made.cells, len(made.contradictions)) == (228, 0)


def test_seven_of_211_balanced_accuracies_contradict_their_rates_by_more_than_rounding_of_counts() -> None:
    made = found_by(check_felm(FILE), "Balanced accuracy")
    assert made.cells == 211
    assert sum(each.apart > 0.5 for each in made.contradictions) == 7
    assert cell_of(made, "ChatGPT, segment doc, Writing, response").follows == "59.5"


def test_gpt_4_with_documents_and_claims_is_not_what_its_domains_give() -> None:
    made = found_by(check_felm(FILE), "What stands under All")
    found = cell_of(made, "GPT-4, claim doc, segment")
    assert (found.printed, found.follows) == ("46.0", "39.7–39.8")
    # Of the 48 cells of table 4; two more are in table 12.
    assert sum(each.apart >= 0.49 for each in made.contradictions if each.table == "4") == 10


def test_the_agree_rate_follows_from_no_pooling() -> None:
    made = found_by(check_felm(FILE), "Sums")
    assert cell_of(made, "agree rate").follows == "92.5–92.6 (by segments) or 90.9–91.0 (by responses)"


def test_the_text_of_felm_counts_an_older_state() -> None:
    made = found_by(check_felm(FILE), "The text")
    assert (cell_of(made, "samples").printed, cell_of(made, "samples").follows) == ("817", "847")


def test_factscores_error_rates_and_marks_agree() -> None:
    checks = check_factscore()
    assert found_by(checks, "Table 6: an error rate").contradictions == ()
    assert found_by(checks, "Table 6: the marks").contradictions == ()
    assert found_by(checks, "Table 2").contradictions == ()


def test_factscores_table_12_prints_macro_f1_under_the_name_of_f1micro() -> None:
    made = found_by(check_factscore(), "Trivial rows")
    assert {each.printed for each in made.contradictions} == {"35.7", "29.1", "15.5"}
    assert all("caption" in each.cell for each in made.contradictions)


def test_the_text_gives_gains_of_self_check_that_table_4_has_not() -> None:
    made = found_by(check_factscore(), "The text")
    assert [each.printed for each in made.contradictions] == ["4 and 11"]


def test_the_facts_are_those_that_the_statistics_show() -> None:
    table = printed("felm")["table 2"]
    keys = {"samples": "responses", "positive": "correct", "response length": "avg_response_words"}
    for row, key in keys.items():
        assert {name: float(text) for name, text in table[row].items()} == {
            name: figures[key] for name, figures in FELM_TABLE_2.items()
        }
    for subject, figures in FACTSCORE_TABLE_2.items():
        assert float(printed("factscore")["table 2"]["factscore"][subject]) == 100 * figures["factscore"]
