"""The comparison page: its answer in words, its tables, and the state that its link keeps."""

import csv
import html
import io
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset
from evaluators.charts.encodings import ROWS
from evaluators.comparison import ready
from tests.core.latex import rows_of
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db
RESPONSES = 12


@pytest.fixture
def dataset() -> Dataset:
    """Twelve responses in science, the first segment of each an error, and one in math without any."""
    dataset = make_dataset()
    for _ in range(RESPONSES):
        first, second = make_response(dataset, domain="science").segments.all()
        add_gold(first, "not_supported")
        add_gold(second, "supported")
    for segment in make_response(dataset, domain="math").segments.all():
        add_gold(segment, "supported")
    return dataset


@pytest.fixture
def judges(dataset) -> None:
    """Ada finds every error, Ben the first two; Cleo is Ada but for one error that she did not find."""
    errors = [response.segments.all()[0] for response in dataset.responses.filter(prompt__domain="science")]
    correct = [response.segments.all()[1] for response in dataset.responses.all()]
    right = dict.fromkeys(correct, "S")
    add_run(dataset, right | dict.fromkeys(errors, "N"), "ada", "imported")
    add_run(dataset, right | dict.fromkeys(errors[:2], "N") | dict.fromkeys(errors[2:], "S"), "ben", "imported")
    add_run(dataset, right | dict.fromkeys(errors[1:], "N") | {errors[0]: "S"}, "cleo", "imported")


@pytest.fixture
def rhea(dataset) -> Client:
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    return client


def read(client: Client, dataset: Dataset, query: str = "", **headers: str) -> str:
    answer = client.get(reverse("compare", args=[dataset.pk]) + query, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode("utf-8-sig")


def words(text: str) -> str:
    """What is read on the page, without its marks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text))


def table(client: Client, dataset: Dataset, name: str, query: str = "") -> dict[str, dict[str, str]]:
    text = read(client, dataset, f"?table={name}&as=csv{query}")
    rows = list(csv.DictReader(io.StringIO(text)))
    return {row.get("Evaluator", "") or f"{row['Higher']} {row['Lower']}": row for row in rows}


def test_it_says_who_is_better_and_between_whom_that_is_open(dataset, judges, rhea):
    text = words(read(rhea, dataset, "?slice=science"))

    assert "ada has the highest F1 in Science and technology" in text
    assert "Significantly better than ben; no significant difference from cleo." in text
    assert "Significant ada is better than ben: difference 0.714" in text
    assert "Not significant ada and cleo do not differ significantly: difference 0.043" in text


def test_an_evaluator_no_better_than_calling_everything_an_error_is_named(dataset, judges, rhea):
    text = words(read(rhea, dataset, "?slice=science"))

    assert "Not significantly better than calling everything an error: ben." in text


def test_ranks_are_shared_by_those_not_told_apart(dataset, judges, rhea):
    """Ben is shown worse than Ada, who leads, and where every pair is tested than Cleo too."""

    def ranks(query: str) -> list[str]:
        rows = table(rhea, dataset, "evaluators", query)
        return [rows[name]["Rank"] for name in ("ada", "cleo", "ben")]

    assert ranks("") == ["1–2", "1–3", "2–3"]
    assert ranks("&pairs=all") == ["1–2", "1–2", "3"]


def test_the_baselines_and_the_people_stand_in_every_table_of_f1(dataset, judges, rhea):
    for name in ("evaluators", "slices"):
        rows = table(rhea, dataset, name, "&evaluator=ada")
        assert list(rows) == [
            "ada",
            "always-not-supported",
            "random",
            "always-supported",
            "one annotator against another",
        ]


def test_only_the_ticked_evaluators_and_slices_count(dataset, judges, rhea):
    rows = table(rhea, dataset, "evaluators", "&evaluator=ben&slice=science")

    assert "ada" not in rows
    assert (rows["ben"]["n"], rows["ben"]["F1"]) == (str(2 * RESPONSES), str(2 * 2 / (2 * 2 + 10)))


def test_whatever_figure_is_asked_for_comes_with_its_interval(dataset, judges, rhea):
    for figure, title in (("precision", "Precision"), ("recall", "Recall"), ("macro_f1", "Macro-F1")):
        row = table(rhea, dataset, "evaluators", f"&figure={figure}")["ada"]
        assert float(row[f"{title} low"]) < float(row[title]) <= float(row[f"{title} high"])


def test_an_interval_of_two_alarms_is_withheld_with_its_reason(dataset, judges, rhea):
    row = table(rhea, dataset, "evaluators", "&figure=precision")["ben"]
    assert (row["Precision low"], row["Precision high"]) == ("", "")
    reason = "no interval: it rests on 2 prompts with a unit called an error, and below 8 none holds"
    assert reason in read(rhea, dataset, "?figure=precision")


def test_a_slice_without_errors_has_no_f1_and_says_why(dataset, judges, rhea):
    assert table(rhea, dataset, "slices")["ada"]["Math"] == ""
    assert "no unit with a decision is an error in gold" in read(rhea, dataset)


def test_the_differences_are_of_all_units_and_beside_them_of_those_that_both_judged(dataset, judges, rhea):
    """Nobody judged the first segment of math, which is correct: a false alarm of each where it counts as wrong."""
    pair = table(rhea, dataset, "pairs")["ada ben"]

    assert (pair["Units"], pair["Units judged by both"], pair["Sure"]) == ("26", "25", "yes")
    assert float(pair["Difference"]) == pytest.approx(24 / 25 - 4 / 15)
    assert float(pair["Difference on units judged by both"]) == pytest.approx(1 - 4 / 14)


def test_silence_is_below_the_line_and_in_no_headline(dataset, judges, rhea):
    add_run(dataset, {dataset.responses.first().segments.first(): "N"}, "dora", "imported")
    text = words(read(rhea, dataset, "?slice=science&pairs=all"))

    assert "ada has the highest F1" in text
    assert "Not ranked dora: judged 4 % of the units; 95 % are asked for." in text
    assert "dora is" not in text
    row = table(rhea, dataset, "evaluators", "&slice=science")["dora"]
    # One error of twelve is found; the other 23 units count as wrong: 2 / (2 + 11 + 12).
    assert (row["Rank"], float(row["F1"]), float(row["F1, undecided wrong"])) == ("", 1, 2 / 25)


def test_recall_crowns_nobody(dataset, judges, rhea):
    text = words(read(rhea, dataset, "?figure=recall"))

    assert "has the highest Recall" not in text
    assert "Recall alone gives no best evaluator: calling everything an error has a recall of 1." in text


def test_the_family_of_the_test_is_named(dataset, judges, rhea):
    text = words(read(rhea, dataset))

    assert "Tested together: the highest against each of the others, over all 26 units" in text
    assert "Tested together: every pair of evaluators" in words(read(rhea, dataset, "?pairs=all"))
    assert "not counted" not in text
    for chosen in ("?slice=science", "?evaluator=ada&evaluator=ben"):
        assert "The test does not count other selections that you tried" in words(read(rhea, dataset, chosen))


def test_a_slicing_by_type_of_error_has_nothing_but_recall(dataset, judges, rhea):
    label = dataset.responses.first().segments.first().gold.get()
    label.error_type = "knowledge"
    label.save()
    text = squeezed(read(rhea, dataset, "?by=error_type&slice=knowledge"))

    assert "it has a recall and nothing else" in text
    assert "Recall over segments: knowledge" in text


def test_a_figure_opens_its_confusion_table_and_each_cell_its_units(dataset, judges, rhea):
    text = read(rhea, dataset, "?slice=science&open=ben&at=")
    units = reverse("compare-units", args=[dataset.pk])
    cells = re.findall(rf'<a href="{units}(\?[^"]+)"[^>]*>(\d+)</a>', text)

    assert [count for _, count in cells] == ["2", "10", "12"]
    for query, count in cells:
        answer = rhea.get(units + query.replace("&amp;", "&"))
        assert f"{count} of the segments" in answer.content.decode()


def test_it_says_below_which_difference_nothing_can_be_seen(dataset, judges, rhea):
    def told() -> str:
        return squeezed(rhea.get(reverse("compare-smallest", args=[dataset.pk]) + "?slice=science").content.decode())

    assert "With these data, no difference in F1 is detected in 80 % of cases" in told()
    for _ in range(30):
        first, second = make_response(dataset, domain="science").segments.all()
        add_gold(first, "not_supported")
        add_gold(second, "supported")
    assert re.search(r"differences in F1 below about 0\.\d\d are detected in less than 80 % of cases", told())


def test_a_large_table_of_pairs_is_shown_when_it_is_asked_for(dataset, judges, rhea):
    for number in range(10):
        add_run(dataset, {dataset.responses.first().segments.first(): "N"}, f"judge {number}", "imported")

    assert "Differences between all pairs" not in read(rhea, dataset)
    assert "Differences between all pairs" in read(rhea, dataset, "?pairs=all")


def test_a_part_of_the_page_is_swapped_without_the_rest(dataset, judges, rhea):
    part = read(rhea, dataset, "?slice=science", HX_Request="true")

    assert part.lstrip().startswith('<div id="compare">')
    assert "<html" not in part


def test_the_addresses_of_charts_and_tables_keep_the_state(dataset, judges, rhea):
    text = read(rhea, dataset, "?slice=science&evaluator=ada&figure=recall")

    assert "charts/evaluators.svg?slice=science&amp;evaluator=ada&amp;figure=recall" in text
    assert "?slice=science&amp;evaluator=ada&amp;figure=recall&amp;table=evaluators&amp;as=latex" in text


def test_the_chart_of_a_slice_draws_what_the_table_says(dataset, judges, rhea):
    address = reverse("compare-chart", args=[dataset.pk, "evaluators", "csv"])
    rows = list(csv.DictReader(io.StringIO(rhea.get(f"{address}?slice=science").content.decode("utf-8-sig"))))

    assert {row["evaluator"]: row["n"] for row in rows}["ben"] == str(2 * RESPONSES)
    assert rows[0]["evaluator"] == "ada"


def test_the_chart_beside_the_table_and_its_files_are_of_one_specification(dataset, judges, rhea):
    text = read(rhea, dataset, "?slice=science")
    beside = text.split('<div class="beside-chart">')[1].split("</figure>")[0]
    addresses = [html.unescape(each) for each in re.findall(r'(?:<img src|href)="([^"]*/charts/[^"]*)"', beside)]
    files = {re.search(r"\.(\w+)\?", each)[1]: each for each in addresses if "download=1" in each}
    [shown] = [each for each in addresses if each not in files.values()]

    assert set(files) == {"svg", "pdf", "png", "json", "csv"}
    assert rhea.get(shown).content == rhea.get(files["svg"]).content
    drawn = {row["evaluator"]: row["figure"] for row in rhea.get(files["json"]).json()["datasets"][ROWS]}
    said = table(rhea, dataset, "evaluators", "&slice=science")
    figures = {name: row["F1, undecided wrong"] for name, row in said.items()}
    # The row of people is drawn as a line; it has no figure of this name.
    assert drawn == {name: float(figure) for name, figure in figures.items() if figure}
    assert drawn["ada"] == 1


def test_more_evaluators_than_a_chart_keeps_apart_are_several_charts_of_the_same_axes(dataset, rhea):
    """26 evaluators, of which the first costs nothing and the last a thousand times as much as the second."""
    units = [segment for response in dataset.responses.all() for segment in response.segments.all()]
    for number in range(26):
        run = add_run(dataset, dict.fromkeys(units, "N"), f"judge {number:02}", "imported")
        cost = {0: 0, 25: 1000}.get(number, 1)
        type(run).objects.filter(pk=run.pk).update(manifest={"origin": {"cost_usd": cost}})
    text = read(rhea, dataset)

    assert [name in text for name in ("chart-price", "chart-price-2", "chart-price-3")] == [True, True, False]
    assert "F1 against price, 2 of 2" in text
    drawn = {
        name: {form: taken(rhea, dataset, name, form) for form in ("csv", "json")} for name in ("price", "price-2")
    }
    named = [{row["evaluator"] for row in csv.DictReader(io.StringIO(each["csv"]))} for each in drawn.values()]
    assert [len(names) for names in named] == [24, 2]
    assert not named[0] & named[1]
    ends = [set(re.findall(r'"domain": ?\[[^"\]]+\]', each["json"])) for each in drawn.values()]
    assert ends[0] == ends[1] != set()
    report = rhea.get(reverse("what-to-report", args=[dataset.pk])).content.decode()
    assert ["slices-2.pdf" in report, "slices-3.pdf" in report] == [True, False]
    for form in ("svg", "pdf", "png"):
        assert rhea.get(reverse("compare-chart", args=[dataset.pk, "price-2", form])).status_code == 200


def taken(client, dataset, name, form):
    return client.get(reverse("compare-chart", args=[dataset.pk, name, form])).content.decode("utf-8-sig")


def test_a_large_comparison_says_that_it_is_computed_and_asks_again(dataset, judges, rhea, monkeypatch):
    monkeypatch.setattr(ready, "AT_ONCE", 0)
    text = read(rhea, dataset, "?slice=science")

    assert "Computing the figures" in text
    assert "No worker is running that serves the queue “short”" in text
    assert 'hx-trigger="every 1s"' in text
    assert rhea.get(reverse("compare-chart", args=[dataset.pk, "evaluators", "svg"])).status_code == 404


def test_without_gold_the_page_says_where_it_comes_from(rhea):
    bare = make_dataset("bare")
    make_person("rhea", bare, "researcher")

    assert "No gold yet" in read(rhea, bare)
    assert rhea.get(reverse("compare-units", args=[bare.pk])).status_code == 404


def test_without_a_run_the_baselines_are_compared(dataset, rhea):
    text = read(rhea, dataset)

    assert "No finished run yet" in text
    assert "always-not-supported" in text


@pytest.mark.parametrize("query", ["?gold=v9", "?table=nothing", "?table=pairs&as=xlsx"])
def test_what_is_not_there_is_not_found(dataset, judges, rhea, query):
    assert rhea.get(reverse("compare", args=[dataset.pk]) + query).status_code == 404


def test_a_link_that_names_what_is_gone_shows_what_is_there(dataset, judges, rhea):
    text = words(read(rhea, dataset, "?evaluator=gone&level=claim&by=mood&slice=none&figure=auc&open=gone&at="))

    assert "F1 over segments" in text
    assert "ada has the highest F1" in text


def test_the_queries_do_not_grow_with_the_evaluators(dataset, judges, rhea, django_assert_max_num_queries):
    read(rhea, dataset)
    with django_assert_max_num_queries(31):
        read(rhea, dataset)


def test_the_verdict_is_one_line_with_at_most_three_bullets_and_the_rest_is_folded(dataset, judges, rhea):
    text = read(rhea, dataset, "?slice=science")
    answer, folded = re.search(r'<div class="sheet answer".*?</div>\s*</details>', text, re.DOTALL)[0].split(
        "<details>", 1
    )

    assert answer.count('class="headline"') == 1
    assert 1 <= answer.count("<li>") <= 3
    assert "ada and cleo do not differ significantly" in words(answer)
    assert "ada is better than ben" not in words(answer)
    assert "ada is better than ben" in words(folded)


def test_the_printed_table_has_figure_and_interval_in_one_cell_and_the_best_sure_set_in_bold(dataset, judges, rhea):
    rows = rows_of(read(rhea, dataset, "?slice=science&table=evaluators&as=latex"))

    assert rows[0] == ["Rank", "Evaluator", "F1", "n", "Coverage"]
    by_name = {row[1]: row for row in rows}
    assert re.fullmatch(r"\\textbf\{1\.00 \[0\.\d\d, 1\.00\]\}", by_name["ada"][2])
    assert by_name["cleo"][2].startswith(r"\textbf{0.96 [")
    assert re.fullmatch(r"0\.29( \[0\.\d\d, 0\.\d\d\])?", by_name["ben"][2])
    assert r"\textbf" not in by_name["always-not-supported"][2]


def test_the_caption_names_data_gold_units_test_and_seed(dataset, judges, rhea):
    version = freeze_gold(dataset, "v1", None)
    text = read(rhea, dataset, f"?slice=science&gold={version.name}&table=evaluators&as=latex")

    caption = re.search(r"\\caption\{(.*)\}", text)[1]
    assert f"{dataset.name} (gold v1)".replace("_", r"\_") in caption
    assert "(n = 24)" in caption
    assert "prompts permuted, step-down over the highest against each of the others" in caption
    assert re.search(r"resamples of whole prompts, seed \d+", caption)


def test_a_printed_slice_table_keeps_its_intervals(dataset, judges, rhea):
    printed = read(rhea, dataset, "?table=slices&as=latex")
    assert "by domain (n: Science and technology 24, Math 2), with" in printed
    rows = rows_of(printed)
    cells = table(rhea, dataset, "slices")["cleo"]

    assert rows[0] == ["Evaluator", "Science and technology", "Math"]
    assert any(re.search(r"\[\d\.\d\d, \d\.\d\d\]", row[1]) for row in rows[1:])
    assert float(cells["Science and technology low"]) <= float(cells["Science and technology"])


def test_the_columns_of_the_printed_table_can_be_chosen_on_the_page(dataset, judges, rhea):
    text = squeezed(read(rhea, dataset, "?slice=science"))
    assert '<input type="hidden" name="slice" value="science">' in text

    rows = rows_of(read(rhea, dataset, "?table=evaluators&as=latex&print=Evaluator&print=Recall&print=n"))
    assert rows[0] == ["Evaluator", "Recall", "n"]


def test_what_to_report_fills_itself_in(dataset, judges, rhea):
    manifest = {"profile": "released-code", "prompts": {"set": "touchstone"}, "seed": 3}
    dataset.runs.filter(evaluator__name="ada").update(manifest=manifest)

    def told(query: str = "") -> str:
        answer = rhea.get(reverse("what-to-report", args=[dataset.pk]) + query)
        assert answer.status_code == 200
        return words(html.unescape(answer.content.decode()))

    text = told("?slice=science")
    assert "Missing Gold that does not change: Freeze gold and choose the version." in text
    assert "24 units with gold, with errors in 12 prompts" in text
    assert "ada reaches F1 1.00" in text
    assert "method: imported, prompt set: touchstone, answer parsing: as the published code, seed: 3" in text
    assert "ada has the highest F1 in Science and technology." in text
    assert "Missing All that was tried: Only some units are selected" in text
    assert r"\begin{tabular}" in text
    assert "@inproceedings{chen2023felm," in text

    version = freeze_gold(dataset, "v1", None)
    frozen = told("?gold=v1")
    assert f"Given Gold that does not change: Gold version v1, SHA-256 {version.hash}." in frozen
    assert f"Gold version v1, SHA-256 {version.hash}" in frozen.split("Cite", 1)[1]


def test_what_to_report_waits_for_a_large_comparison(dataset, judges, rhea, monkeypatch):
    monkeypatch.setattr(ready, "AT_ONCE", 0)
    text = rhea.get(reverse("what-to-report", args=[dataset.pk])).content.decode()

    assert "The figures are being computed" in text


def test_the_gold_audit_says_of_the_trivial_baseline_what_the_comparison_says(dataset, judges, rhea):
    """Ben alone is not better than calling everything an error, over all units of the dataset."""
    compared = words(read(rhea, dataset))
    audited = words(rhea.get(reverse("gold-audits", args=[dataset.pk])).content.decode())
    said = re.compile(r"Not significantly better than calling everything an error: ben\.")

    assert said.search(compared)
    assert said.search(audited)
