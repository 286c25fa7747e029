"""Recall of subject models: by gold and as evaluators estimate it, by command, by the API and on both pages."""

import json
import re

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotate.models import AtomicFact, Prompt
from annotate.statistics.figures import build_dataset_stats
from core.caching import memory
from evaluators.comparison.report import build_report
from evaluators.models import ExtractedClaim
from evaluators.subjects.describe import describe_dataset
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

VALUES = {"S": "supported", "N": "not_supported", "I": "irrelevant"}
# Gold of the facts of each response, "" for an abstention.
GOLD = {"amber": {"Ada": "SSN", "Ben": "SNI", "Cleo": ""}, "basalt": {"Ada": "SSSS", "Ben": "NN", "Cleo": "S"}}


@pytest.fixture
def bios(db):
    memory.clear()
    dataset = make_dataset(scheme="factscore")
    prompts: dict[str, Prompt] = {}
    for subject, lives in GOLD.items():
        for topic, letters in lives.items():
            sentences = ["A sentence."] * bool(letters)
            response = make_response(dataset, sentences, prompt=prompts.get(topic, topic), subject=subject)
            prompts[topic] = response.prompt
            if not letters:
                response.abstained = True
                response.save()
            texts = [f"{topic} was word{n}." for n in range(len(letters))]
            for fact, letter in zip(add_facts(response, [texts] * bool(letters)), letters, strict=True):
                add_gold(fact, VALUES[letter])
    return dataset


@pytest.fixture
def rhea(bios) -> Client:
    client = Client()
    client.force_login(make_person("rhea", bios, "researcher"))
    return client


def judge(dataset, letter, name="judge"):
    """A run that says the same of every fact."""
    facts = AtomicFact.objects.filter(segment__response__dataset=dataset)
    return add_run(dataset, dict.fromkeys(facts, letter), name)


def f1s(document):
    return {row["subject"]: row["f1"] for row in document["at_k"]["subjects"]}


def test_f1_at_k_by_gold(bios):
    """At K = 2: S = 2, N = 1 is F1 0.8; S = N = 1, an irrelevant fact aside, 1/2; an abstention 0. S = 4 is 1."""
    at_2 = build_dataset_stats(bios, k=2)

    assert f1s(at_2) == pytest.approx({"amber": (0.8 + 0.5 + 0) / 3, "basalt": (1 + 0 + 2 / 3) / 3})
    assert (at_2["at_k"]["k"], at_2["at_k"]["domains"]) == (2, [])


def test_k_is_the_median_of_a_domain_by_default(bios):
    """Claims 3, 2 and 4, 2, 1: the median is 2, so the figures are those at 2."""
    stats = build_dataset_stats(bios)

    assert stats["at_k"]["domains"] == [{"domain": "math", "k": 2, "n": 5}]
    assert f1s(stats) == pytest.approx(f1s(build_dataset_stats(bios, k=2)))


def test_a_dataset_of_segments_has_no_recall(db):
    stats = build_dataset_stats(make_dataset())
    assert (stats["at_k"], stats["reference"]) == (None, None)


def test_an_evaluator_estimates_it_over_all_that_it_judged(bios):
    """All facts called supported, irrelevant ones too: precision 1, S of 3, 3, 4, 2, 1, with the median 3."""
    judge(bios, "S")
    expected = {"amber": (1 + 1 + 0) / 3, "basalt": (1 + 2 * (2 / 3) / (5 / 3) + 2 * (1 / 3) / (4 / 3)) / 3}
    [estimated] = describe_dataset(bios)["evaluators"]
    reported = {entry["evaluator"]: entry for entry in build_report(bios)["evaluators"]}

    assert estimated["at_k"]["domains"] == [{"domain": "math", "k": 3, "n": 5}]
    assert f1s(estimated) == pytest.approx(expected)
    assert reported["judge"]["at_k"] == estimated["at_k"]
    # The same answers by a baseline that has no run.
    assert f1s(reported["always-supported"]) == pytest.approx(expected)
    assert f1s(reported["always-not-supported"]) == {"amber": 0, "basalt": 0}


def test_what_could_not_be_parsed_counts_nowhere(bios):
    judge(bios, "?")
    [estimated] = describe_dataset(bios, k=2)["evaluators"]
    amber, basalt = estimated["at_k"]["subjects"]

    # The abstention alone counts; of basalt nothing does.
    assert (amber["n"], amber["f1"]) == (1, 0)
    assert (basalt["n"], basalt["f1"]) == (0, None)


def test_claims_that_a_run_extracted_are_counted_in_the_place_of_units(bios):
    run = judge(bios, "S")
    ada = bios.responses.get(subject="amber", prompt__topic="Ada")
    for position, value in enumerate(("supported", "not_supported", "supported", "supported", None)):
        ExtractedClaim.objects.create(run=run, response=ada, position=position, text="A claim.", value=value)
    [estimated] = describe_dataset(bios, k=4)["evaluators"]
    amber, basalt = estimated["at_k"]["subjects"]

    # S = 3, N = 1 at K = 4: 3/4; no claim of Ben, and an abstention: 0.
    assert (amber["n"], amber["f1"]) == (3, pytest.approx((3 / 4 + 0 + 0) / 3))
    assert (basalt["n"], basalt["f1"]) == (3, 0)


@pytest.fixture
def listed(bios):
    """Of Ada four facts are listed: two that amber states rightly, one wrongly, and one that nobody states."""
    facts = [*(f"Ada was word{n}." for n in range(3)), "Nothing like that."]
    Prompt.objects.filter(topic="Ada").update(reference_facts=facts)
    Prompt.objects.filter(topic="Cleo").update(reference_facts=["Cleo was word0."])
    return bios


def test_recall_of_lists_by_gold_and_as_estimated(listed):
    judge(listed, "S")
    gold = build_dataset_stats(listed)["reference"]
    [estimated] = describe_dataset(listed)["evaluators"]

    assert (gold["prompts"], gold["facts"]) == (2, 5)
    # amber: 2 of 4, and an abstention; basalt: 3 of 4, and 1 of 1.
    assert [(row["subject"], row["n"], row["recall"]) for row in gold["subjects"]] == [
        ("amber", 2, pytest.approx((1 / 2 + 0) / 2)),
        ("basalt", 2, pytest.approx((3 / 4 + 1) / 2)),
    ]
    # The fact that gold calls wrong is called supported.
    assert estimated["reference"]["subjects"][0]["recall"] == pytest.approx((3 / 4 + 0) / 2)
    reported = {entry["evaluator"]: entry for entry in build_report(listed)["evaluators"]}
    assert reported["judge"]["reference"] == estimated["reference"]
    assert reported["always-supported"]["reference"]["subjects"][0]["recall"] == pytest.approx((3 / 4 + 0) / 2)


def test_a_list_that_comes_later_is_on_the_page(bios, rhea):
    page = reverse("subject-models", args=[bios.pk])
    assert "Of lists" not in rhea.get(page).content.decode()
    Prompt.objects.filter(topic="Ada").update(reference_facts=["Ada was word0."])
    assert "Of lists" in rhea.get(page).content.decode()


def test_commands_take_k(bios, capsys):
    judge(bios, "S")
    for command in ("dataset_stats", "score_subjects", "report"):
        call_command(command, "lab", "--k", "2", "--json")
        document = json.loads(capsys.readouterr().out)
        parts = document.get("evaluators", [document])
        assert {part["at_k"]["k"] for part in parts} == {2}
        call_command(command, "lab", "--k", "2")
        assert ("at K" if command == "dataset_stats" else "F1@K") in capsys.readouterr().out


@pytest.mark.parametrize("k", ["0", "-1", "1.5", "1001", "median"])
def test_commands_refuse_another_k(bios, k):
    with pytest.raises(CommandError, match="is no whole number from 1 to 1000"):
        call_command("dataset_stats", "lab", f"--k={k}")


def rows(text, label):
    table = re.search(rf'aria-label="{label}".*?</table>', squeezed(text))[0]
    return re.findall(r'<tr><th scope="row">([^<]+)', table)


def test_the_page_of_gold_sorts_by_f1_and_keeps_k_in_its_links(bios, rhea):
    page = reverse("subject-models", args=[bios.pk])
    # FActScore: amber (2/3 + 1/3) / 2 = 1/2; basalt (1 + 0 + 1) / 3.
    assert rows(rhea.get(page).content.decode(), "Subject models by gold") == ["basalt", "amber"]
    text = rhea.get(page, {"k": "2", "sort": "f1"}).content.decode()

    assert rows(text, "Subject models by gold") == ["amber", "basalt"]
    assert 'name="k" min="1" max="1000"' in squeezed(text)
    assert 'value="2"' in text
    assert re.search(r'href="\?k=2&amp;sort=-f1"', text)
    assert "0.433" in text  # (0.8 + 0.5 + 0) / 3
    assert "K is 2 supported facts" in text


def test_the_ranking_sorts_by_f1_too(bios, rhea):
    judge(bios, "S")
    page = reverse("subject-ranking", args=[bios.pk])

    def ranked(order):
        text = rhea.get(page, {"k": "4", "sort": order}).content.decode()
        return rows(text, "Subject models by estimated FActScore")

    # Facts of amber: 3, 3, none; of basalt 4, 2, 1: a mean recall of 1/2 and of 7/12.
    assert ranked("-f1") == ranked("-recall") == ["basalt", "amber"]
    assert ranked("f1") == ranked("recall") == ["amber", "basalt"]


@pytest.mark.parametrize("address", ["subject-models", "subject-ranking"])
@pytest.mark.parametrize("k", ["0", "-3", "1001", "two", "1.5", "٣"])
def test_a_link_with_another_k_is_refused(bios, rhea, address, k):
    judge(bios, "S")
    assert rhea.get(reverse(address, args=[bios.pk]), {"k": k}).status_code == 404


def test_the_tables_to_take_away_have_the_recall(bios, rhea):
    asked = {"table": "subjects", "as": "csv", "k": 2}
    text = rhea.get(reverse("subject-models", args=[bios.pk]), asked).content.decode()
    head, first, *_ = text.splitlines()
    cells = dict(zip(head.split(","), first.split(","), strict=True))

    assert cells["subject"] == "basalt"
    assert float(cells["F1@K"]) == pytest.approx((1 + 0 + 2 / 3) / 3)
    assert float(cells["precision of claims"]) == pytest.approx((1 + 0 + 1) / 3)
