"""The page of what gold says of the subject models."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from core.caching import memory
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from evaluators.subjects.measured import contrary_pairs, means_of
from jobs.work import work_on
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

HOSTILE = "<script>alert('x')</script>"


@pytest.fixture
def bios(db):
    """Of Ada, Ben and Cleo by two subjects: amber's facts are right but for one, the other's but for two wrong."""
    memory.clear()
    dataset = make_dataset(scheme="factscore")
    prompts = {}
    for subject, values in (("amber", "SSSSSN"), (HOSTILE, "SNNSNN")):
        for place, (topic, frequency) in enumerate((("Ada", "freq"), ("Ben", "very rare"), ("Cleo", "freq"))):
            response = make_response(
                dataset,
                ["She wrote.[1] ", "She drew."],
                prompt=prompts.get(topic, topic),
                subject=subject,
                frequency=frequency,
            )
            prompts[topic] = response.prompt
            for fact, value in zip(add_facts(response, [["One."], ["Two."]]), values[2 * place :], strict=False):
                add_gold(fact, "supported" if value == "S" else "not_supported")
    make_person("rhea", dataset, "researcher")
    return dataset


@pytest.fixture
def rhea(bios) -> Client:
    client = Client()
    client.login(username="rhea", password="rhea")
    return client


def read(client: Client, dataset, **query: str) -> str:
    answer = client.get(reverse("subject-models", args=[dataset.pk]), query)
    assert answer.status_code == 200
    return answer.content.decode("utf-8-sig")


def take(client: Client, dataset, table: str, **query: str) -> list[list[str]]:
    lines = read(client, dataset, table=table, **{"as": "csv"}, **query).splitlines()
    return [line.split(",") for line in lines[1:]]


def test_a_dataset_of_segments_says_where_its_figures_are(db):
    dataset = make_dataset()
    make_person("rhea", dataset, "researcher")
    client = Client()
    client.login(username="rhea", password="rhea")
    assert "No FActScore" in read(client, dataset)


def test_without_gold_the_page_says_what_to_do(db):
    dataset = make_dataset(scheme="factscore")
    make_person("rhea", dataset, "researcher")
    client = Client()
    client.login(username="rhea", password="rhea")
    assert "No gold yet" in read(client, dataset)


def test_subjects_stand_with_their_scores_by_gold(bios, rhea):
    text = read(rhea, bios)
    # amber: (1 + 1 + 1/2) / 3; the other: (1/2 + 1/2 + 0) / 3.
    assert "<strong>0.833</strong>" in text
    assert "<strong>0.333</strong>" in text
    assert HOSTILE not in text


def test_shares_are_taken_away_by_class_the_rarest_first(bios, rhea):
    rows = take(rhea, bios, "frequency", subject="amber")
    # Ben's facts are all right; of Ada's and Cleo's 2/2 and 1/2.
    assert [(row[0], row[2], row[5]) for row in rows] == [("very rare", "1.0", "1"), ("freq", "0.75", "2")]


def test_citations_are_counted_by_what_gold_says_of_the_sentence(bios, rhea):
    shares = {row[0]: row[2] for row in take(rhea, bios, "citations", subject="amber")}
    # Each first sentence has a mark: 3 of amber's 5 supported sentences, and not the one in error.
    assert shares == {"unsupported": "0.0", "supported": "0.6"}
    assert "Sentences with a citation" in read(rhea, bios)


def test_an_evaluator_stands_with_its_f1_bias_and_what_cancels(bios, rhea):
    work_on(RunJob(), create_run(bios, "always-supported").run.pk)
    run = create_run(bios, "always-supported", name="one each way").run
    work_on(RunJob(), run.pk)
    said = run.predictions.filter(segment__response__subject="amber").order_by("segment__response__position", "fact")
    run.predictions.filter(pk=said.first().pk).update(value="not_supported")
    row = next(row for row in take(rhea, bios, "estimates", subject="amber") if row[0] == "one each way")
    # One of Ada's two facts wrongly rejected, one of Cleo's two wrongly supported: bias 0, cancelling 2 · (1/2)/3.
    assert [float(cell) for cell in row[8:13]] == pytest.approx([0, 1 / 6, 1 / 6, 1 / 3, 0])
    assert "one each way" in read(rhea, bios)


def test_where_the_two_figures_disagree_is_said():
    def row(evaluator, f1, error_rate, baseline=False, coverage=1.0):
        named = {"subject": "amber", "evaluator": evaluator, "baseline": baseline}
        return {**named, "f1": f1, "error_rate": error_rate, "coverage": coverage}

    found = contrary_pairs([row("A", 0.75, 0.10), row("B", 0.67, 0.05), row("C", 0.9, 0.0), row("D", None, 0.0)])
    # FActScore's figure 3; C is better in both, and D found nothing to be measured by.
    assert [(pair["finds"], pair["nearer"]) for pair in found] == [("A", "B")]
    assert contrary_pairs([row("A", 0.7, 0.4, baseline=True), row("B", 0.0, 0.3, baseline=True)]) == []
    # An evaluator that judged little is not named.
    assert contrary_pairs([row("A", 1.0, 0.10, coverage=0.01), row("B", 0.67, 0.05)]) == []


def test_means_over_subjects_mark_the_trivial_and_never_put_them_on_top():
    def row(evaluator, subject, error_rate, bias, baseline=False, coverage=1.0, f1=0.5):
        named = {"subject": subject, "evaluator": evaluator, "facts": "human", "baseline": baseline}
        return {**named, "f1": f1, "bias": bias, "error_rate": error_rate, "coverage": coverage}

    rows = [
        row("random", "amber", 0.00, 0.00, baseline=True),
        row("random", "basalt", 0.02, -0.02, baseline=True),
        row("A", "amber", 0.10, 0.10, f1=0.6),
        row("A", "basalt", 0.20, -0.20, f1=0.8),
        row("B", "amber", 0.05, 0.05),
        row("B", "basalt", None, None),
        row("C", "amber", 0.01, 0.01, coverage=0.01),
        row("C", "basalt", 0.01, 0.01),
    ]

    def mean(bias, error_rate, f1):
        return {"bias": bias, "error_rate": error_rate, "f1": f1}

    of_report = {
        "random": mean(-0.01, 0.01, 0.5),
        "A": mean(-0.05, 0.15, 0.7),
        "B": mean(None, None, 0.5),
        "C": mean(0.01, 0.01, 0.5),
    }
    means = means_of(rows, of_report)

    assert [each["evaluator"] for each in means] == ["A", "B", "C", "random"]
    of_a, of_b, of_c, of_random = means
    assert (of_a["error_rate"], of_a["bias"], of_a["f1"]) == pytest.approx((0.15, -0.05, 0.7))
    assert (of_b["error_rate"], of_b["subjects"], of_b["of"]) == (None, 1, 2)
    assert of_c["unranked"] is not None
    assert of_random["baseline"] and of_random["error_rate"] == pytest.approx(0.01)


def test_the_page_has_a_row_of_means_an_evaluator_and_says_which_are_trivial(bios, rhea):
    text = squeezed(read(rhea, bios))
    means = re.search(r'aria-label="Means over subject models".*?</table>', text)[0]

    names = re.findall(r'<th scope="row">([^<]+)<small class="quiet">([^<]*)</small>', means)
    assert [name for name, note in names if note == "trivial baseline"] == [name for name, _ in names[-3:]]
    assert "random" in [name for name, _ in names[-3:]]
    assert [row[0] for row in take(rhea, bios, "means")] == [name for name, _ in names]


def test_means_stand_with_their_intervals_or_say_why_they_have_none(bios, rhea):
    """Three prompts are too few; with nine both subjects make the same mistakes, so that the mean varies as each."""
    text = squeezed(read(rhea, bios))
    assert 'title="no interval: it rests on 3 prompts of the subject with the fewest' in text
    for topic in range(6):
        prompt = f"Topic {topic}"
        for subject in ("amber", HOSTILE):
            response = make_response(bios, ["She wrote."], prompt=prompt, subject=subject)
            prompt = response.prompt
            for fact, value in zip(add_facts(response, [["One.", "Two."]]), "SN", strict=True):
                add_gold(fact, "supported" if value == "S" else "not_supported")
    memory.clear()

    columns, *rows = read(rhea, bios, table="means", **{"as": "csv"}).splitlines()
    row = dict(
        zip(
            columns.split(","),
            next(each for each in rows if each.startswith("always-supported")).split(","),
            strict=True,
        )
    )
    for figure in ("error_rate", "estimated"):
        assert float(row[f"{figure}_low"]) <= float(row[figure]) <= float(row[f"{figure}_high"])
    assert f"{float(row['error_rate_low']):.3f} to {float(row['error_rate_high']):.3f}" in squeezed(read(rhea, bios))


@pytest.mark.parametrize("name", ["frequency", "position", "sentence", "trade-off"])
def test_each_chart_is_taken_away_as_its_data(bios, rhea, name):
    answer = rhea.get(reverse("subject-models-chart", args=[bios.pk, name, "csv"]))
    assert answer.status_code == 200
    assert "amber" in answer.content.decode()


def test_a_chart_that_is_not_there_is_not_found(bios, rhea):
    assert rhea.get(reverse("subject-models-chart", args=[bios.pk, "nothing", "svg"])).status_code == 404


@pytest.mark.parametrize("query", [{"gold": "v9"}, {"subject": "nobody"}, {"table": "nothing"}])
def test_what_is_not_there_is_not_found(bios, rhea, query):
    assert rhea.get(reverse("subject-models", args=[bios.pk]), query).status_code == 404


def test_leaving_abstentions_out_is_a_choice(bios, rhea):
    bios.responses.filter(index="amber/Ben").update(abstained=True)
    assert [row[2] for row in take(rhea, bios, "frequency", subject="amber")] == ["0.0", "0.75"]
    assert [row[2] for row in take(rhea, bios, "frequency", subject="amber", over="responding")] == ["", "0.75"]


def test_the_number_of_queries_does_not_grow_with_the_subjects(bios, rhea, django_assert_max_num_queries):
    for number in range(8):
        [fact] = add_facts(make_response(bios, ["She wrote."], prompt="Dan", subject=f"n{number}"), [["One."]])
        add_gold(fact, "supported")
    with django_assert_max_num_queries(60):
        text = read(rhea, bios)
    assert len(re.findall("n7", text)) > 1
