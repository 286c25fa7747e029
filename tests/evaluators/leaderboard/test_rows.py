"""What of a report the leaderboard shows, in which order."""

import csv

from evaluators.comparison.report import report_as_csv
from evaluators.leaderboard.rows import (
    columns_of,
    leaderboard_table,
    levels_of,
    reach_of,
    read_leaderboard_state,
    reference_of,
    rows_of,
    slices_of,
    usual_columns,
)


def figures(f1, level="segment", slice="all", **more):
    return {
        "level": level,
        "slice": {"domain": slice},
        "f1": f1,
        "precision": None,
        "recall": 0.5,
        "macro_f1": 0.5,
        "f1_interval": None if f1 is None else [f1 - 0.1, f1 + 0.1],
        "f1_bounds": None if f1 is None else [f1, f1],
        "balanced_accuracy": 0.5,
        "balanced_accuracy_interval": [0.4, 0.6],
        "balanced_accuracy_bounds": [0.5, 0.5],
        "coverage": 1.0,
        "pessimistic": {"f1": f1, "precision": None, "recall": 0.5, "macro_f1": 0.5, "balanced_accuracy": 0.5},
        "pessimistic_intervals": {"f1": None if f1 is None else [f1 - 0.1, f1 + 0.1], "balanced_accuracy": [0.4, 0.6]},
        "pessimistic_withheld": {},
        "pessimistic_error_prompts": 20,
        "unranked": None,
        **dict.fromkeys(("n", "predicted", "unparsed", "missing", "tp", "fp", "fn", "tn"), 1),
        "undefined": {},
        **more,
    }


def entry(name, *results, method="lexical", subjects=(), cost=1.0):
    return {
        "evaluator": name,
        "run": 1,
        "runs": [1],
        "same_as": None,
        "run_noise": [],
        "run_noise_unmeasured": None,
        "method": method,
        "model": "",
        "results": list(results),
        "subjects": list(subjects),
        "at_k": None,
        "at_k_undefined": "it judges no facts",
        "reference": None,
        "tokens": 10,
        "cost_usd": cost,
        "known_usd": cost or 0.0,
        "unpriced": [],
        "seconds": 1.5,
    }


def report(*entries):
    return {"scheme": "felm", "evaluators": list(entries)}


def names(document, **query):
    return [row.entry["evaluator"] for row in rows_of(document, read_leaderboard_state(query, document))]


THREE = report(
    entry("ben", figures(0.4), cost=2.0),
    entry("ada", figures(0.6), cost=None),
    entry("cleo", figures(None), cost=1.0),
)


def test_the_best_f1_stands_first_and_the_undefined_last():
    assert names(THREE) == ["ada", "ben", "cleo"]


def test_the_undefined_stands_last_in_a_rising_order_too():
    assert names(THREE, sort="f1") == ["ben", "ada", "cleo"]


def test_any_column_orders():
    assert names(THREE, sort="cost_usd") == ["cleo", "ben", "ada"]
    assert names(THREE, sort="-name") == ["cleo", "ben", "ada"]


def test_an_order_that_is_not_known_is_the_usual_one():
    assert names(THREE, sort="__class__") == ["ada", "ben", "cleo"]


def test_a_name_narrows_the_evaluators_and_leaves_the_baselines():
    document = report(
        entry("Ada's judge", figures(0.6)), entry("ben", figures(0.4)), entry("random", figures(0.5), method="random")
    )
    assert names(document, name="ADA") == ["Ada's judge", "random"]


def test_levels_and_slices_are_those_of_the_report():
    document = report(entry("ada", figures(0.5), figures(0.4, slice="math"), figures(0.3, level="response")))
    assert levels_of(document) == ["segment", "response"]
    assert slices_of(document, "segment") == ["all", "math"]
    assert slices_of(document, "response") == ["all"]


def test_a_slice_that_the_level_does_not_have_is_all():
    document = report(entry("ada", figures(0.5), figures(0.4, slice="math"), figures(0.3, level="response")))
    state = read_leaderboard_state({"level": "response", "slice": "math"}, document)
    assert (state.level, state.slice) == ("response", "all")


def test_the_reference_is_the_f1_of_calling_everything_an_error():
    document = report(entry("ada", figures(0.6)), entry("x", figures(0.3), method="always-not-supported"))
    assert reference_of(document, read_leaderboard_state({}, document)) == 0.3


def test_estimates_have_a_row_an_evaluator_and_subject_the_smallest_error_first():
    amber = {"subject": "amber", "responses": 4, "factscore": 0.5, "estimated": 0.9, "bias": 0.4, "error_rate": 0.4}
    basalt = {"subject": "basalt", "responses": 4, "factscore": 0.5, "estimated": 0.3, "bias": -0.2, "error_rate": 0.2}
    of_k = {"k": None, "domains": [], "subjects": [{"subject": "amber", "n": 4, "f1": 0.7, "f1_interval": [0.6, 0.8]}]}
    subjects = [amber | {"bias_interval": [0.3, 0.5]}, basalt | {"bias_interval": None}]
    document = report(entry("ada", figures(0.5), subjects=subjects) | {"at_k": of_k})
    rows = rows_of(document, read_leaderboard_state({"level": "estimate"}, document))
    assert [row.figures["subject"] for row in rows] == ["basalt", "amber"]
    assert [(row.figures["f1_at_k"], row.figures["f1_at_k_interval"]) for row in rows] == [
        (None, None),
        (0.7, [0.6, 0.8]),
    ]
    assert reach_of(rows) == 0.5
    chosen = rows_of(document, read_leaderboard_state({"level": "estimate", "slice": "amber"}, document))
    assert [row.figures["subject"] for row in chosen] == ["amber"]


def test_the_csv_has_a_line_a_result_and_no_formulas():
    document = report(entry('=HYPERLINK("x")', figures(0.5), figures(None, level="response")))
    lines = list(csv.DictReader(report_as_csv(document)))
    assert [(line["level"], line["f1"], line["f1_low"], line["f1_high"]) for line in lines] == [
        ("segment", "0.5", "0.4", "0.6"),
        ("response", "", "", ""),
    ]
    assert lines[0]["evaluator"] == '\'=HYPERLINK("x")'


def test_the_csv_has_f1_at_k_as_a_level_with_a_line_a_subject():
    amber = {"subject": "amber", "n": 4, "f1": 0.7, "f1_interval": [0.6, 0.8]}
    basalt = {"subject": "basalt", "n": 0, "f1": None, "f1_interval": None}
    medians = [{"domain": "math", "k": 3.0, "n": 2}, {"domain": "science", "k": 5.0, "n": 2}]
    one, several = ({"k": None, "domains": domains, "subjects": [amber, basalt]} for domains in (medians[:1], medians))
    document = report(entry("ada", figures(0.5)) | {"at_k": one}, entry("ben") | {"at_k": several}, entry("cleo"))

    lines = list(csv.DictReader(report_as_csv(document)))
    keys = ("evaluator", "level", "slice", "n", "f1", "f1_at_k", "f1_at_k_low", "f1_at_k_high", "k", "cost_usd")
    # Two domains have a K each, so there is none of all responses.
    assert [tuple(line[key] for key in keys) for line in lines[1:]] == [
        ("ada", "recall", "amber", "4", "", "0.7", "0.6", "0.8", "3.0", "1.0"),
        ("ada", "recall", "basalt", "0", "", "", "", "", "3.0", "1.0"),
        ("ben", "recall", "amber", "4", "", "0.7", "0.6", "0.8", "", "1.0"),
        ("ben", "recall", "basalt", "0", "", "", "", "", "", "1.0"),
    ]
    assert [lines[0][key] for key in ("level", "f1", *keys[5:9])] == ["segment", "0.5", "", "", "", ""]


def test_silence_stands_below_the_line_whatever_the_order():
    """Cleo is right on 40 units of 4,426 and has F1 1.000; counting the others as wrong it is 0.018."""
    silent = figures(1.0, pessimistic={**figures(0.018)["pessimistic"], "recall": 1.0}, unranked="judged too little")
    document = report(entry("ada", figures(0.6)), entry("cleo", silent), entry("random", figures(0.9), method="random"))

    for order in ("-f1", "f1", "-recall", "cost_usd"):
        assert names(document, sort=order) == ["ada", "cleo", "random"]
    assert names(document, sort="-name") == ["random", "cleo", "ada"]
    _, cleo, _ = rows_of(document, read_leaderboard_state({}, document))
    assert (cleo.group, cleo.metrics[0].value, cleo.metrics[0].judged) == ("unranked", 0.018, 1.0)


def test_estimates_are_not_headed_by_a_baseline_or_by_silence():
    def estimate(error_rate, responses=100):
        row = {"subject": "amber", "responses": responses, "error_rate": error_rate}
        return [row | dict.fromkeys(("factscore", "estimated", "bias", "bias_interval"))]

    document = report(
        entry("random", subjects=estimate(0.01), method="random"),
        entry("ben", subjects=estimate(0.02, responses=94)),
        entry("ada", subjects=estimate(0.2)),
    )

    assert names(document, level="estimate") == ["ada", "ben", "random"]


def extracting(share):
    """An evaluator's figures of its own claims, all the same."""
    row = {"count": 3, "n": 4, "share": share, "interval": None, "why": "" if share else "no claim"}
    part = {"claims": 4, "units": 4, "left_out": 2, "figures": dict.fromkeys(EXTRACTION, row)}
    half = {key: {**row, "share": share / 2} for key in EXTRACTION}
    return {**part, "slices": {"math": {**part, "figures": half}}}


EXTRACTION = ("claim_precision", "unit_coverage", "missing_units", "invented_claims", "merged_claims")


def test_columns_of_extracted_claims_are_there_where_an_evaluator_has_some():
    claimer = {**entry("ada", figures(0.6)), "extraction": extracting(0.75)}
    document = report(claimer, entry("ben", figures(0.7)))

    assert not {column.key for column in columns_of(THREE["evaluators"])} & set(EXTRACTION)
    assert {column.key for column in columns_of(document["evaluators"])} >= set(EXTRACTION)
    assert names(document, sort="-claim_precision") == ["ada", "ben"]
    state = read_leaderboard_state({}, document, ["unit_coverage"])
    assert [column.key for column in state.columns] == ["f1", "unit_coverage"]
    shares = {row.name: dict(row.extraction)["unit_coverage"] for row in rows_of(document, state)}
    assert (shares["ada"]["share"], shares["ben"]["share"]) == (0.75, None)
    assert shares["ben"]["why"] == "it extracts no claims"
    assert {row.name: row.figures["judged_without"] for row in rows_of(document, state)} == {"ada": 2, "ben": 0}


def test_figures_of_extracted_claims_are_those_of_the_slice():
    results = (figures(0.6), figures(0.5, slice="math"), figures(0.5, slice="law"))
    document = report({**entry("ada", *results), "extraction": extracting(0.75)})

    def of(slice_name):
        (row,) = rows_of(document, read_leaderboard_state({"slice": slice_name}, document))
        return dict(row.extraction)["claim_precision"]

    assert [of(name)["share"] for name in ("all", "math", "law")] == [0.75, 0.375, None]
    assert of("law")["why"] == "no response of the slice"


def at_k(mean, *subjects, withheld=""):
    """F1@K of subjects, (name, F1), with its mean."""
    rows = [{"subject": name, "n": 4, "f1": f1, "f1_interval": None} for name, f1 in subjects]
    interval = None if withheld or mean is None else [mean - 0.1, mean + 0.1]
    found = {"f1": mean, "f1_interval": interval, "withheld": {"f1": withheld} if withheld else {}}
    return {"k": 3.0, "domains": [], "subjects": rows, "mean": found}


def lists(mean, *subjects):
    rows = [{"subject": name, "n": 4, "recall": recall, "recall_interval": None} for name, recall in subjects]
    return {"subjects": rows, "mean": {"recall": mean, "recall_interval": None, "withheld": {}}}


# Means over subjects: (0.4 + 0.8) / 2 = 0.6; of cleo one subject lacks the figure.
RECALLED = report(
    entry("ada", figures(0.6), figures(0.6, slice="math")) | {"at_k": at_k(0.6, ("amber", 0.4), ("basalt", 0.8))},
    entry("ben", figures(0.5)) | {"at_k": at_k(0.7, ("amber", 0.7), ("basalt", 0.7), withheld="too few prompts")},
    entry("cleo", figures(0.7)) | {"at_k": at_k(None, ("amber", 0.9), ("basalt", None), ("", None))},
    entry("random", figures(0.2), method="random"),
)


def mean_cells(document, key="f1_at_k", **query):
    rows = rows_of(document, read_leaderboard_state(query, document))
    return {row.name: cell for row in rows for cell in row.recall_means if cell.key == key}


def test_levels_of_detection_have_the_mean_of_f1_at_k_over_subjects_or_the_reason():
    cells = mean_cells(RECALLED)

    assert (cells["ada"].value, cells["ada"].interval, cells["ada"].withheld) == (0.6, [0.5, 0.7], "")
    assert (cells["ben"].value, cells["ben"].interval, cells["ben"].withheld) == (0.7, None, "too few prompts")
    reason = "none of basalt, (no name): no response counts, or the subject lacks a domain"
    assert (cells["cleo"].value, cells["cleo"].why) == (None, reason)
    assert (cells["random"].value, cells["random"].why) == (None, "it judges no facts")
    in_math = mean_cells(RECALLED, slice="math")
    assert (in_math["ada"].value, in_math["ada"].why) == (None, "of the whole dataset only")


def test_the_mean_of_f1_at_k_orders_and_is_in_the_table_with_its_k():
    assert names(RECALLED, sort="-f1_at_k") == ["ben", "ada", "cleo", "random"]
    state = read_leaderboard_state({}, RECALLED, ["f1_at_k"])
    assert [column.key for column in state.columns] == ["f1", "f1_at_k"]
    table = leaderboard_table(rows_of(RECALLED, state), state, {}, "")
    shown = ("Evaluator", "F1@K", "F1@K low", "F1@K high", "K")
    found = [[row[table.columns.index(title)] for title in shown] for row in table.rows]
    assert found == [
        ["cleo", None, None, None, 3.0],
        ["ada", 0.6, 0.5, 0.7, 3.0],
        ["ben", 0.7, None, None, 3.0],
        ["random", None, None, None, None],
    ]
    assert table.printed.columns["F1@K"] == "F1@K"


def test_recall_of_lists_is_there_where_the_dataset_has_lists():
    document = report(
        entry("ada", figures(0.6)) | {"reference": lists(0.3, ("amber", 0.2), ("basalt", 0.4))},
        entry("ben", figures(0.5)) | {"reference": lists(None, ("amber", None), ("basalt", 0.4))},
    )
    assert [column.key for column in columns_of(document["evaluators"])].count("of_lists") == 1
    cells = mean_cells(document, "of_lists")
    assert (cells["ada"].value, cells["ben"].value) == (0.3, None)
    assert cells["ben"].why == "none of amber: no judged response to a prompt with a list"
    assert not {"f1_at_k", "of_lists"} & {column.key for column in columns_of(THREE["evaluators"])}
    assert "of_lists" not in {column.key for column in columns_of(RECALLED["evaluators"])}


def test_the_usual_columns_have_claims_and_f1_at_k_where_an_evaluator_extracts_claims():
    plain = ("f1", "precision", "recall", "balanced_accuracy", "coverage", "cost_usd")
    assert usual_columns(THREE["evaluators"]) == usual_columns(RECALLED["evaluators"]) == plain
    claimer = entry("ada", figures(0.6)) | {"extraction": extracting(0.75)}
    with_claims = {"f1", "claim_precision", "unit_coverage", "f1_at_k"}
    assert set(usual_columns([claimer | {"at_k": at_k(0.6, ("amber", 0.6))}])) >= with_claims
    assert with_claims - set(usual_columns([claimer])) == {"f1_at_k"}
