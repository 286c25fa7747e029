"""What a study has found: weights of the benchmark, what is left out, agreement, two studies side by side, the file."""

import csv
import io
import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.people.names import user_names
from factor.open_ended.export import export_lines
from factor.open_ended.facts import write_fact
from factor.open_ended.label import label
from factor.open_ended.progress import summary_of
from factor.open_ended.results import results_of
from factor.open_ended.tables import tables_of
from factor.validation.exclude import count_again, exclude
from stats.open_ended import ROWS
from tests.factor.open_ended.work import make_benchmark, make_scoring, texts_of, written_study
from tests.factories import make_person

pytestmark = pytest.mark.django_db


def label_all(study, person, right, wrong):
    """The words for the texts of the right pairs and of the wrong ones, in their order."""
    left = {True: list(right), False: list(wrong)}
    for text in texts_of(study):
        if left[text.pair.right]:
            label(text, person, left[text.pair.right].pop(0))


def label_by_example(study, person, right, wrong):
    """The words for the texts of each example's right pairs, and of its wrong ones, by its position."""
    left = {(at, side): list(words[at]) for side, words in ((True, right), (False, wrong)) for at in words}
    for text in texts_of(study):
        label(text, person, left[text.pair.completion.example.position, text.pair.right].pop(0))


def study_of_three(name="tiny", benchmark=None, **design):
    """Four right pairs to two wrong ones; two texts each."""
    benchmark = benchmark or make_benchmark(3)
    scoring = make_scoring(benchmark, (-2, -3, -1), (-2, -3, -1), (-2, -3, -3), name=name)
    return written_study(scoring=scoring, **design)


def test_the_total_is_weighted_by_the_pairs_of_the_benchmark():
    study = study_of_three()
    # Right: T 3/8, F 1/8. Wrong: T 1/4, F 2/4. Weights 2/3 and 1/3: T = 1/4 + 1/12, F = 1/12 + 1/6.
    label_all(
        study, make_person("ada"), ["true"] * 3 + ["false"] + ["neutral"] * 4, ["true", "false", "false", "neutral"]
    )

    (found,), _ = results_of([study])

    right, wrong, everything = found.rows
    assert [row.n for row in found.rows] == [8, 4, 12]
    assert (right.accuracy.value, wrong.accuracy.value) == pytest.approx((3 / 4, 1 / 3))
    assert everything.true.value == pytest.approx(1 / 3)
    assert everything.false.value == pytest.approx(1 / 4)
    assert everything.accuracy.value == pytest.approx(4 / 7)
    assert found.weights == pytest.approx((2 / 3, 1 / 3))


def test_what_is_left_out_is_counted_by_its_reason():
    study, ada = written_study(facts=False), make_person("ada")
    pairs = list(study.pairs.all())
    write_fact(pairs[0], ada, "", "not_factual")
    for pair in pairs[1:]:
        write_fact(pair, ada, "Maria painted in Lima.")
    texts = texts_of(study)
    label(texts[2], ada, "ill_formatted")
    label(texts[3], ada, "true")
    label(texts[4], ada, "not_contradictory")
    type(texts[6]).objects.filter(pk=texts[6].pk).update(state="failed")

    (found,), _ = results_of([study])

    assert found.fates == {"not_factual": 2, "not_contradictory": 2, "ill_formatted": 1, "failed": 1, "unlabelled": 1}
    assert (found.drawn, found.left_out, found.rows[-1].n) == (8, 5, 1)


def test_an_example_left_out_of_the_figures_takes_its_texts_and_its_pairs_along():
    study, dora = study_of_three(), make_person("dora")
    label_by_example(
        study,
        make_person("ada"),
        {0: ["true"] * 2, 1: ["true", "false"], 2: ["false", *["neutral"] * 3]},
        {0: ["false"] * 2, 1: ["true", "neutral"]},
    )
    exclusion = exclude(study.scoring.benchmark.examples.get(position=0), dora, "It is a list.")

    (found,), _ = results_of([study])

    # Right: T 1/6, F 2/6. Wrong: T 1/2, F 0. Three right pairs to one wrong: T = 1/8 + 1/8, F = 1/4.
    right, wrong, everything = found.rows
    assert [row.n for row in found.rows] == [6, 2, 8]
    assert (right.accuracy.value, wrong.accuracy.value) == pytest.approx((1 / 3, 1))
    assert (everything.true.value, everything.false.value) == pytest.approx((1 / 4, 1 / 4))
    assert found.weights == (3 / 4, 1 / 4)
    assert (found.fates, found.drawn, found.left_out) == ({"example": 4}, 12, 4)

    count_again(exclusion, dora)
    (found,), _ = results_of([study])

    # Right: T 3/8, F 2/8. Wrong: T 1/4, F 2/4. Four to two.
    assert [row.n for row in found.rows] == [8, 4, 12]
    assert [row.accuracy.value for row in found.rows] == pytest.approx([3 / 5, 1 / 3, 1 / 2])
    assert (found.weights, found.fates) == (pytest.approx((2 / 3, 1 / 3)), {})


def test_where_every_example_is_left_out_nothing_is_known(capsys):
    study, dora = study_of_three(), make_person("dora")
    for example in study.scoring.benchmark.examples.all():
        exclude(example, dora, "It is a list.")

    (found,) = json.loads(report(capsys, "lab", "lives", "--json"))["studies"]

    assert (found["rows"]["all"]["n"], found["rows"]["all"]["accuracy"]) == (0, None)
    assert (found["weights"], found["not_counted"]) == ({"right": None, "wrong": None}, {"example": 12})


def test_a_text_counts_when_both_of_its_labelers_have_spoken():
    study, ada, ben = written_study(raters=2), make_person("ada"), make_person("ben")
    first, second = texts_of(study)[:2]
    label(first, ada, "true")
    label(second, ada, "true")
    label(first, ben, "neutral")

    (found,), _ = results_of([study])

    assert found.rows[-1].n == 1
    row = found.rows[0 if first.pair.right else 1]
    assert (row.true.value, row.neutral.value) == (0.5, 0.5)


def test_one_labeler_is_enough_to_leave_a_text_out():
    study, ada, ben = written_study(raters=2), make_person("ada"), make_person("ben")
    text = texts_of(study)[0]
    label(text, ada, "ill_formatted")
    label(text, ben, "true")

    assert results_of([study])[0][0].fates["ill_formatted"] == 1


def test_the_agreement_of_two_labelers():
    study, ada, ben = written_study(raters=2), make_person("ada"), make_person("ben")
    for place, text in enumerate(texts_of(study)):
        label(text, ada, "true" if place < 4 else "neutral")
        label(text, ben, "true" if place < 3 else "neutral")

    results = results_of([study])[0][0]
    percent, alpha = results.agreement.values()

    # Seven of eight. α = 1 − (n − 1)·disagreements/(pairs of unlike values): 1 − 15·2/(2·7·9).
    assert (results.twice, percent.value) == (8, 7 / 8)
    assert alpha.value == pytest.approx(1 - 15 * 2 / (2 * 7 * 9))


def test_full_agreement_is_not_certain():
    study, ada, ben = written_study(raters=2), make_person("ada"), make_person("ben")
    for place, text in enumerate(texts_of(study)):
        for person in (ada, ben):
            label(text, person, "true" if place < 4 else "neutral")

    results = results_of([study])[0][0]
    percent, alpha = results.agreement.values()

    # Two documents are too few for an interval.
    assert (percent.value, alpha.value) == (1, 1)
    assert (percent.interval, alpha.interval) == (None, None)


def test_the_agreement_is_that_on_examples_that_count():
    study, ada, ben = written_study(raters=2), make_person("ada"), make_person("ben")
    for text in texts_of(study):
        label(text, ada, "true")
        label(text, ben, "true" if text.pair.completion.example.position else "neutral")
    exclude(study.scoring.benchmark.examples.get(position=0), ada, "It is a list.")

    results = results_of([study])[0][0]
    percent = results.agreement["percent"]

    # Four of eight without the exclusion.
    assert (results.twice, percent.value, percent.interval) == (4, 1, None)


def test_nobody_agrees_alone():
    study = written_study()
    label(texts_of(study)[0], make_person("ada"), "true")

    assert results_of([study])[0][0].agreement is None


def test_two_studies_of_a_benchmark_side_by_side():
    benchmark, ada = make_benchmark(3), make_person("ada")
    one, other = (study_of_three(name, benchmark) for name in ("small", "large"))
    label_all(one, ada, ["true"] * 4 + ["false"] * 4, ["false"] * 4)
    label_all(other, ada, ["true"] * 8, ["true"] * 2 + ["false"] * 2)

    found, (difference,) = results_of([one, other])

    # 2/3 · 1/2 = 1/3 against 2/3 + 1/3 · 1/2 = 5/6.
    assert [each.rows[-1].accuracy.value for each in found] == pytest.approx([1 / 3, 5 / 6])
    assert difference.difference == pytest.approx(-1 / 2)
    assert difference.interval is None  # of three documents


def test_a_study_is_complete_when_every_label_is_in():
    study, ada = written_study(facts=False), make_person("ada")
    for pair in study.pairs.all():
        write_fact(pair, ada, "Maria painted in Lima.")
    assert not summary_of(study).complete

    for text in texts_of(study):
        label(text, ada, "neutral")
    summary = summary_of(study)
    assert (summary.complete, summary.labels, summary.wanted) == (True, 8, 8)


def test_an_unfinished_study_is_not_complete_though_all_that_is_written_is_labelled():
    study, ada = written_study(), make_person("ada")
    last = texts_of(study)[-1]
    type(last).objects.filter(pk=last.pk).update(state="waiting", text="")
    for text in texts_of(study)[:-1]:
        label(text, ada, "neutral")

    assert not summary_of(study).complete


def test_the_tables_have_the_rows_of_the_paper():
    study = study_of_three()
    label_all(study, make_person("ada"), ["true"] * 8, ["false"] * 4)

    accuracy, shares, left_out = tables_of(results_of([study])[0])

    assert [row[:3] for row in accuracy.rows] == [
        ["tiny", "Right", 1.0],
        ["tiny", "Wrong", 0.0],
        ["tiny", "All (weighted)", pytest.approx(2 / 3)],
    ]
    assert len(shares.columns) == 3 + 4 * 3
    assert left_out.rows == []


def test_every_label_goes_out():
    study, ada = written_study(), make_person("ada")
    first = texts_of(study)[0]
    label(first, ada, "true", "Said so.")

    rows = list(
        csv.DictReader(io.StringIO("\n".join(export_lines(study, user_names(study.scoring.benchmark.dataset)))))
    )

    assert len(rows) == 8
    assert (rows[0]["text"], rows[0]["labeler"], rows[0]["label"], rows[0]["note"]) == (
        " text 0.",
        "ada",
        "true",
        "Said so.",
    )
    assert rows[0]["group"] == ("right" if first.pair.right else "wrong")
    assert rows[0]["original"] == " Maria painted in Lima."
    assert (rows[1]["labeler"], rows[1]["label"]) == ("", "")


def test_why_an_example_is_left_out_goes_out_with_its_texts():
    study = written_study()
    exclude(study.scoring.benchmark.examples.get(position=1), make_person("dora"), "It is a list.")

    rows = list(
        csv.DictReader(io.StringIO("\n".join(export_lines(study, user_names(study.scoring.benchmark.dataset)))))
    )

    assert {(row["example"], row["example_left_out"]) for row in rows} == {("1", ""), ("2", "It is a list.")}
    *_, left_out = tables_of(results_of([study])[0])
    assert left_out.rows[0] == ["tiny", "The example is left out of all figures", 4, 0.5]


def report(capsys, *arguments):
    call_command("open_ended_report", *arguments)
    return capsys.readouterr().out


def test_the_report_as_one_document(capsys):
    study = study_of_three()
    label_all(study, make_person("ada"), ["true"] * 8, ["false"] * 4)

    (found,) = json.loads(report(capsys, "lab", "lives", "--json"))["studies"]

    assert (found["study"], found["model"], found["complete"]) == (study.pk, "tiny", True)
    assert found["weights"] == pytest.approx({"right": 2 / 3, "wrong": 1 / 3})
    assert list(found["rows"]) == list(ROWS)
    assert found["rows"]["all"]["accuracy"] == pytest.approx(2 / 3)
    assert found["rows"]["wrong"]["accuracy_interval"] is None  # of two documents


def test_the_report_to_be_read(capsys):
    benchmark, ada = make_benchmark(3), make_person("ada")
    for name in ("small", "large"):
        label_all(study_of_three(name, benchmark), ada, ["true"] * 8, ["false"] * 4)

    said = report(capsys, "lab", "lives")

    assert "All (weighted)" in said
    assert "large – small: +0.000" in said


def test_the_report_of_what_is_not_there():
    make_benchmark()
    for arguments, why in (
        (("lab", "none"), "no benchmark 'none'"),
        (("lab", "lives"), "has no study"),
        (("lab", "lives", "--study", "99"), "no study 99"),
    ):
        with pytest.raises(CommandError, match=why):
            call_command("open_ended_report", *arguments)
