"""The leaderboard, and the report to take away."""

import csv
import io
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.gold.freeze import freeze_gold
from annotate.models import Assignment, Dataset, Label, Removal, Task
from evaluators.comparison import ready
from evaluators.comparison.comparison_job import ComparisonJob
from evaluators.comparison.report import build_report
from evaluators.models import Comparison
from jobs.work import work_on
from tests.core.latex import rows_of
from tests.evaluators.comparison.rows import SHORT, add_run, result
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert('x')</script>"


@pytest.fixture
def dataset() -> Dataset:
    """Two domains; one segment of the first response is wrong."""
    dataset = make_dataset()
    for domain, values in (("math", ("not_supported", "supported")), ("wk", ("supported", "supported"))):
        response = make_response(dataset, domain=domain)
        for segment, value in zip(response.segments.all(), values, strict=True):
            add_gold(segment, value)
    return dataset


def client_of(dataset: Dataset, role: str) -> Client:
    client = Client()
    client.force_login(make_person(f"a {role}", dataset, role))
    return client


@pytest.fixture
def rhea(dataset) -> Client:
    return client_of(dataset, "researcher")


def page(dataset: Dataset, query: str = "", name: str = "leaderboard") -> str:
    return reverse(name, args=[dataset.pk]) + query


def read(client: Client, address: str, **headers: str) -> str:
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200
    return answer.getvalue().decode("utf-8-sig")


def evaluators(text: str) -> list[str]:
    """The names of the rows, from the top."""
    return re.findall(r'<th scope="row">(?:<a [^>]*>)?([^<]+?)\s*(?:</a>)?\s*<small', text)


def row_of(name: str, text: str) -> str:
    """The evaluator's row of the table."""
    found = re.search(rf'<th scope="row">(?:<a [^>]*>)?{name}\b.*?\n</tr>', text, re.DOTALL)
    assert found, f"{name} has no row"
    return found[0]


def segments(dataset: Dataset) -> list:
    return [segment for response in dataset.responses.all() for segment in response.segments.all()]


@pytest.mark.parametrize("name", ["leaderboard", "report-json", "report-csv"])
@pytest.mark.parametrize(("role", "status"), [("annotator", 403), ("researcher", 200), ("adjudicator", 200)])
def test_who_may_see_it(dataset, name, role, status):
    assert client_of(dataset, role).get(page(dataset, name=name)).status_code == status


def test_without_gold_the_page_says_how_gold_comes():
    dataset = make_dataset("unlabelled")
    make_response(dataset)
    assert "No gold yet" in read(client_of(dataset, "researcher"), page(dataset))


def test_without_runs_the_baselines_stand_alone_and_the_page_says_what_to_do(dataset, rhea):
    text = read(rhea, page(dataset))
    assert "No finished run yet" in text
    assert reverse("run-new", args=[dataset.pk]) in text
    assert {"always-supported", "always-not-supported", "random"} <= set(evaluators(text))


def test_the_figures_are_those_of_the_report(dataset, rhea):
    add_run(dataset, dict(zip(segments(dataset), "NNSS", strict=True)), "judge")
    text = read(rhea, page(dataset, "?column=precision&column=recall&column=macro_f1&column=balanced_accuracy"))
    # One error found, one false alarm: precision 1/2, recall 1, F1 = 2/(2 + 1) = 0.667.
    figures = result(build_report(dataset), "judge")
    assert (figures["precision"], figures["recall"], round(figures["f1"], 3)) == (0.5, 1.0, 0.667)
    row = row_of("judge", text)
    for figure in ("precision", "recall", "f1", "macro_f1", "balanced_accuracy"):
        assert f"{figures[figure]:.3f}" in row
    assert evaluators(text)[0] == "judge"


def test_the_level_and_the_slice_are_in_the_link(dataset, rhea):
    add_run(dataset, dict(zip(segments(dataset), "NNSS", strict=True)), "judge")
    row = row_of("judge", read(rhea, page(dataset, "?level=response&slice=math")))
    assert f"{result(build_report(dataset), 'judge', 'response', 'math')['f1']:.3f}" in row
    assert "1 unit: 1 predicted" in row


def test_what_is_undefined_is_a_dash_with_its_reason(dataset, rhea):
    row = row_of("always-not-supported", read(rhea, page(dataset, "?slice=wk")))
    assert "no unit with a decision is an error in gold" in row


def test_links_keep_what_was_chosen(dataset, rhea):
    text = read(rhea, page(dataset, "?level=response&name=jud&sort=-recall"))
    assert "level=response&amp;name=jud&amp;sort=precision" in text or (
        "level=response&amp;name=jud&amp;sort=-precision" in text
    )
    assert 'name="level" value="response"' in text
    assert 'name="sort" value="-recall"' in text
    assert 'aria-sort="descending"' in text


def test_a_name_that_no_evaluator_has_leaves_the_baselines_and_says_so(dataset, rhea):
    add_run(dataset, {segments(dataset)[0]: "N"}, "judge")
    text = read(rhea, page(dataset, "?name=nobody"))
    assert "judge" not in evaluators(text)
    assert "random" in evaluators(text)
    assert "No evaluator with “nobody”" in text


def test_a_frozen_version_shows_the_gold_of_its_time(dataset, rhea):
    wrong = segments(dataset)[0]
    add_run(dataset, {wrong: "N"}, "judge")
    freeze_gold(dataset, "v1", make_person("dora"))
    wrong.gold.update(superseded=dataset.next_gold_revision())
    add_gold(wrong, "supported")
    now = row_of("judge", read(rhea, page(dataset)))
    then = row_of("judge", read(rhea, page(dataset, "?gold=v1")))
    assert "no unit with a decision is an error in gold" in now
    # It judged one of the four units, rightly; with the three others as false alarms F1 is 2/(2 + 3).
    assert "<strong>0.400</strong>" in then
    assert "1.000 on decided units" in then


def test_a_version_that_is_not_there_is_not_found(dataset, rhea):
    assert rhea.get(page(dataset, "?gold=nothing")).status_code == 404


def remove_a_response(dataset: Dataset) -> None:
    response, revision = dataset.responses.get(prompt__domain="wk"), dataset.next_gold_revision()
    Removal.objects.create(response=response, keep=False, who=make_person("dora"), why="Cut off.", revision=revision)


def test_what_the_experts_removed_is_counted(dataset, rhea):
    add_run(dataset, {segments(dataset)[0]: "N"}, "judge")
    assert "removed by the experts" not in squeezed(read(rhea, page(dataset)))
    remove_a_response(dataset)
    text = read(rhea, page(dataset))
    assert "1 response was removed by the experts and is not in these figures" in squeezed(text)
    assert "2 units" in row_of("judge", text)


def test_what_was_removed_later_still_counts_in_a_frozen_version(dataset, rhea):
    add_run(dataset, {segments(dataset)[0]: "N"}, "judge")
    freeze_gold(dataset, "v1", make_person("dora"))
    remove_a_response(dataset)
    text = read(rhea, page(dataset, "?gold=v1"))
    assert "removed by the experts" not in squeezed(text)
    assert "4 units" in row_of("judge", text)


def test_what_a_revision_moves_is_a_link_away(dataset, rhea):
    assert reverse("revisions", args=[dataset.pk]) in read(rhea, page(dataset))


def test_a_new_run_and_new_gold_show_at_once(dataset, rhea):
    read(rhea, page(dataset))
    add_run(dataset, {segments(dataset)[0]: "N"}, "late")
    assert "late" in evaluators(read(rhea, page(dataset)))
    add_gold(make_response(dataset, ["Three."]).segments.get(), "not_supported")
    assert "5 units" in read(rhea, page(dataset))


def test_names_are_escaped(dataset, rhea):
    add_run(dataset, {segments(dataset)[0]: "N"}, HOSTILE)
    text = read(rhea, page(dataset, f"?name={HOSTILE}&slice={HOSTILE}&sort={HOSTILE}"))
    assert HOSTILE not in text
    assert "&lt;script&gt;" in text


def test_what_changes_in_place_is_the_leaderboard_alone(dataset, rhea):
    text = read(rhea, page(dataset), **{"HX-Request": "true"})
    assert text.strip().startswith('<div id="leaderboard">')


def test_a_factscore_dataset_has_facts_and_estimates():
    dataset = make_dataset("lives", "factscore")
    response = make_response(dataset, ["Ada wrote."], prompt="Ada", subject="amber")
    facts = add_facts(response, [["Ada wrote programs.", "Ada wrote songs."]])
    add_gold(facts[0], "supported")
    add_gold(facts[1], "not_supported")
    add_run(dataset, dict(zip(facts, "SS", strict=True)), "judge")
    rhea = client_of(dataset, "researcher")
    assert 'aria-current="true">Facts' in read(rhea, page(dataset))
    row = row_of("judge", read(rhea, page(dataset, "?level=estimate")))
    # Gold: 1 of 2 supported; estimated: 2 of 2.
    assert "0.500" in row
    assert "1.000" in row
    assert "+0.500" in row


def test_estimates_have_a_row_of_means_over_subjects_for_each_evaluator():
    dataset = make_dataset("lives", "factscore")
    said = {}
    for subject, gold, judged in (("amber", "SN", "SS"), ("basalt", "SSSN", "SSNN")):
        response = make_response(dataset, ["Ada wrote."], prompt="Ada", subject=subject)
        facts = add_facts(response, [[f"Ada wrote {number}." for number, _ in enumerate(gold)]])
        for fact, value, letter in zip(facts, gold, judged, strict=True):
            add_gold(fact, "supported" if value == "S" else "not_supported")
            said[fact] = letter
    add_run(dataset, said, "judge")
    rhea = client_of(dataset, "researcher")
    text = squeezed(read(rhea, page(dataset, "?level=estimate")))
    means = text.split('aria-label="Means over subject models"')[1].split("</table>")[0]
    names = re.findall('<th scope="row">([^<]+)<small class="quiet">([^<]*)</small>', means)
    assert names[0] == ("judge", "")
    assert {note for _, note in names[1:]} == {"trivial baseline"}
    assert {name for name, _ in names[1:]} == {"always-supported", "always-not-supported", "random"}

    taken = list(csv.DictReader(io.StringIO(read(rhea, page(dataset, "?level=estimate&table=means&as=csv")))))
    assert [row["evaluator"] for row in taken] == [name for name, _ in names]
    # amber: 1 instead of 1/2; basalt: 1/2 instead of 3/4. F1: no error of one found; 1 of 1 found, with 1 false alarm.
    judge, *others = taken
    assert [float(judge[name]) for name in ("estimated", "bias", "error_rate")] == [0.75, 0.125, 0.375]
    assert float(judge["f1"]) == pytest.approx((0 + 2 / 3) / 2)
    assert ("0.375" in means, "+0.125" in means, judge["error_rate_low"]) == (True, True, "")
    # A baseline never stands above an evaluator, also with the same figure: (1/2 + 1/4) / 2.
    assert {row["evaluator"]: row["error_rate"] for row in others}["always-supported"] == "0.375"

    of_one = read(rhea, page(dataset, "?level=estimate&slice=amber"))
    assert "Means over subject models" not in of_one
    assert "Means over subject models" not in read(rhea, page(dataset, "?level=fact"))


def test_the_report_as_json_is_the_commands_document(dataset, rhea):
    add_run(dataset, {segments(dataset)[0]: "N"}, "judge")
    assert rhea.get(page(dataset, name="report-json")).json() == build_report(dataset)


def test_the_report_as_csv_has_a_line_a_result(dataset, rhea):
    lines = list(csv.DictReader(io.StringIO(read(rhea, page(dataset, name="report-csv")))))
    report = build_report(dataset)
    assert len(lines) == sum(len(entry["results"]) for entry in report["evaluators"])
    assert {line["level"] for line in lines} == {"segment", "response"}


def test_unparsed_answers_stand_with_the_bounds_of_f1(dataset, rhea):
    add_run(dataset, dict(zip(segments(dataset), "?NSS", strict=True)), "judge")
    row = squeezed(row_of("judge", read(rhea, page(dataset, "?column=unparsed"))))
    # Gold N S S S. At best N N S S: 2/(2 + 1) = 0.667; at worst S N S S: 0.
    assert "F1 0.000 to 0.667" in row
    assert "3 predicted, 1 unparsed, 0 missing" in row


def test_missing_answers_stand_with_bounds_of_their_own(dataset, rhea):
    add_run(dataset, dict(zip(segments(dataset)[1:], "NSS", strict=True)), "judge")
    # As above, but that nothing was said of the first.
    row = squeezed(row_of("judge", read(rhea, page(dataset))))
    assert "F1 0.000 to 0.667" in row
    assert "with 1 missing" in row


def test_one_annotator_against_the_other_is_a_mark(dataset, rhea):
    task = Task.objects.create(dataset=dataset, position=0, wants=2)
    dataset.responses.update(task=task)
    for place, (name, letters) in enumerate((("ada", "NNSS"), ("ben", "NSSS"))):
        assignment = Assignment.objects.create(
            task=task,
            annotator=make_person(name, dataset),
            place=place,
            state="submitted",
            submitted_at=timezone.now(),
        )
        for segment, letter in zip(segments(dataset), letters, strict=True):
            Label.objects.create(assignment=assignment, segment=segment, value=SHORT[letter])
    text = squeezed(read(rhea, page(dataset)))
    # Both say error once, one of them once more: 2/(2 + 1) = 0.667.
    assert "one annotator against another, before adjudication, F1 0.667" in text
    # Of whole responses they say the same.
    assert "before adjudication, F1 1.000" in squeezed(read(rhea, page(dataset, "?level=response")))


def test_the_leaderboard_is_taken_away_as_it_is_sorted_and_sliced(dataset, rhea):
    add_run(dataset, dict(zip(segments(dataset), "NSSS", strict=True)))
    text = read(rhea, page(dataset, "?slice=math&sort=name&table=leaderboard&as=csv"))
    rows = list(csv.DictReader(io.StringIO(text)))

    assert [row["Evaluator"] for row in rows] == ["always-not-supported", "always-supported", "judge", "random"]
    assert (rows[2]["F1"], rows[2]["Balanced accuracy"], rows[2]["Unparsed"]) == ("1.0", "1.0", "0")
    assert "&amp;table=leaderboard&amp;as=latex" in read(rhea, page(dataset, "?slice=math"))


@pytest.fixture
def ranked() -> Dataset:
    """Twelve prompts, each with one error: Ada finds all, Ben two; nobody is trained."""
    dataset = make_dataset()
    errors, correct = [], []
    for _ in range(12):
        first, second = make_response(dataset, domain="wk").segments.all()
        add_gold(first, "not_supported")
        add_gold(second, "supported")
        errors.append(first)
        correct.append(second)
    right = dict.fromkeys(correct, "S")
    add_run(dataset, right | dict.fromkeys(errors, "N"), "ada", "imported")
    add_run(dataset, right | dict.fromkeys(errors[:2], "N") | dict.fromkeys(errors[2:], "S"), "ben", "imported")
    return dataset


def cells_of(name: str, text: str) -> list[str]:
    """The cells of an evaluator's row, as they are read."""
    row = re.sub(r"<details>.*?</details>", "", row_of(name, text), flags=re.DOTALL)
    return [squeezed(re.sub(r"<[^>]+>", " ", cell)) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)]


def test_the_leaderboard_has_ranks_sure_marks_and_numeric_intervals(ranked):
    text = read(client_of(ranked, "researcher"), page(ranked))
    ada, ben = cells_of("ada", text), cells_of("ben", text)

    assert "1 highest, significant" in ada
    assert "2 lower, significant" in ben
    assert any(re.fullmatch(r"1\.000 0\.\d{3} to 1\.000", cell) for cell in ada)
    assert any(re.match(r"0\.286 (0\.\d{3} to 0\.\d{3}|no interval)", cell) for cell in ben)


def test_ranks_are_those_of_the_comparison_over_the_same_units(ranked):
    rhea = client_of(ranked, "researcher")
    compared = csv.DictReader(io.StringIO(read(rhea, page(ranked, "?table=evaluators", "compare"))))
    listed = csv.DictReader(io.StringIO(read(rhea, page(ranked, "?table=leaderboard"))))
    ranks = {row["Evaluator"]: row["Rank"] for row in compared}

    assert {row["Evaluator"]: row["Rank"] for row in listed if row["Rank"]} == {"ada": "1", "ben": "2"}
    assert (ranks["ada"], ranks["ben"]) == ("1", "2")


def test_columns_are_chosen_and_the_link_keeps_them(ranked):
    rhea = client_of(ranked, "researcher")
    usual, chosen = read(rhea, page(ranked)), read(rhea, page(ranked, "?column=tokens&column=recall"))

    def heads(text: str) -> list[str]:
        return re.findall(r'id="sort-(\w+)"', text)

    assert heads(usual) == ["name", "f1", "precision", "recall", "balanced_accuracy", "coverage", "cost_usd"]
    assert heads(chosen) == ["name", "f1", "recall", "tokens"]
    assert "?column=tokens&amp;column=recall&amp;sort=-recall" in chosen
    assert re.search(r'name="column" value="tokens"\s+checked', chosen)


def test_the_leaderboard_is_printed_with_the_figures_of_the_page(ranked):
    rhea = client_of(ranked, "researcher")
    rows = rows_of(read(rhea, page(ranked, "?column=recall&table=leaderboard&as=latex")))

    assert rows[0] == ["Rank", "Evaluator", "F1", "Recall"]
    ada = next(row for row in rows if row[1] == "ada")
    assert re.fullmatch(r"\\textbf\{1\.00 \[0\.\d\d, 1\.00\]\}", ada[2])
    whole = csv.DictReader(io.StringIO(read(rhea, page(ranked, "?column=recall&table=leaderboard"))))
    assert {"Recall", "Coverage", "Tokens"} <= set(whole.fieldnames)


def test_the_ranks_of_a_large_leaderboard_come_later(ranked, monkeypatch):
    monkeypatch.setattr(ready, "AT_ONCE", 0)
    rhea = client_of(ranked, "researcher")
    rhea.get(page(ranked))
    work_on(ComparisonJob(), Comparison.objects.get().pk)  # the report
    text = read(rhea, page(ranked))

    assert "A worker computes the ranks." in text
    assert 'title="being computed"' in text
