"""Recall of subject models: by gold and as evaluators estimate it, by command, by the API and on both pages."""

import csv
import json
import re

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotate.corpus.reference_facts import import_reference_facts
from annotate.models import AtomicFact, Dataset, Prompt, Segment
from annotate.statistics.figures import build_dataset_stats
from core.caching import memory
from evaluators.comparison.report import build_report
from evaluators.models import ExtractedClaim, RunItem
from evaluators.subjects.describe import describe_dataset
from tests.annotate.corpus.files import write_rows
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


def test_k_may_be_the_median_of_all_responses(bios, capsys):
    """Another domain with claims 6: the median of 3, 2, 4, 2, 1, 6 is 2.5, and means are over responses."""
    dora = make_response(bios, ["A sentence."], prompt="Dora", subject="basalt", domain="law")
    for fact in add_facts(dora, [[f"Dora was word{n}." for n in range(6)]]):
        add_gold(fact, "supported")
    call_command("dataset_stats", "lab", "--k", "median", "--json")
    at_k = json.loads(capsys.readouterr().out)["at_k"]

    assert (at_k["choice"], at_k["k"], at_k["domains"]) == ("median", 2.5, [])
    # Of basalt: S = 4, recall 1; S = 0; S = 1, recall 0.4 and precision 1; S = 6.
    assert f1s({"at_k": at_k})["basalt"] == pytest.approx((1 + 0 + 0.8 / 1.4 + 1) / 4)
    call_command("dataset_stats", "lab", "--k", "domain", "--json")
    assert json.loads(capsys.readouterr().out)["at_k"]["choice"] == "domain"


@pytest.fixture
def sea(db):
    """Claims of a response of amber, with gold S, N, not enough evidence and irrelevant, and one that stands alone."""
    memory.clear()
    dataset = make_dataset("sea", "claims")
    response = make_response(dataset, [f"Claim {n} of the sea." for n in range(4)], subject="amber")
    for claim, value in zip(
        response.segments.all(), ("supported", "not_supported", "not_enough_evidence", "irrelevant"), strict=True
    ):
        add_gold(claim, value)
    add_gold(make_response(dataset, ["Alone."], prompt="").segments.get(), "supported")
    return dataset


def test_claims_of_responses_have_f1_at_k_and_not_enough_evidence_is_no_support(sea):
    at_2 = build_dataset_stats(sea, k=2)["at_k"]
    [amber] = at_2["subjects"]

    # S = 1, N = 2: precision 1/3, recall 1/2.
    assert (amber["subject"], amber["n"]) == ("amber", 1)
    assert (amber["precision"], amber["f1"]) == (pytest.approx(1 / 3), pytest.approx(0.4))
    # An evaluator that calls every claim supported: S = 4.
    add_run(sea, dict.fromkeys(Segment.objects.filter(response__dataset=sea), "S"))
    reported = {entry["evaluator"]: entry for entry in build_report(sea, k=8)["evaluators"]}
    for name in ("judge", "always-supported"):
        [row] = reported[name]["at_k"]["subjects"]
        assert (row["subject"], row["recall"], row["precision"]) == ("amber", 1 / 2, 1)


def test_claims_that_stand_alone_have_none(db):
    dataset = make_dataset("facts", "claims")
    add_gold(make_response(dataset, ["Alone."], prompt="").segments.get(), "supported")
    stats = build_dataset_stats(dataset)

    assert (stats["at_k"], stats["at_k_undefined"]) == (None, "every claim stands alone: no subject model's response")
    assert all(entry["at_k"] is None for entry in build_report(dataset)["evaluators"])


@pytest.fixture
def numbers(db):
    memory.clear()
    dataset = make_dataset()
    response = make_response(dataset, ["One is odd and two is even.", "Well."], subject="amber")
    for segment in response.segments.all():
        add_gold(segment, "supported")
    return dataset


def test_segments_have_none_but_claims_that_a_run_extracted_from_them_have(numbers):
    stats = build_dataset_stats(numbers)
    assert (stats["at_k"], stats["at_k_undefined"]) == (None, "a segment may state several facts, or none")
    assert stats["reference"] is None

    said = dict.fromkeys(Segment.objects.filter(response__dataset=numbers), "S")
    add_run(numbers, said, "whole")
    run = add_run(numbers, said, "parts")
    for position, value in enumerate(("supported", "supported", "not_supported")):
        ExtractedClaim.objects.create(
            run=run, response=numbers.responses.get(), position=position, text="A claim.", value=value
        )
    reported = {entry["evaluator"]: entry for entry in build_report(numbers, k=4)["evaluators"]}
    assert (reported["whole"]["at_k"], reported["whole"]["at_k_undefined"]) == (None, stats["at_k_undefined"])
    # S = 2, N = 1 at K = 4: precision 2/3, recall 1/2.
    assert f1s(reported["parts"]) == {"amber": pytest.approx(4 / 7)}
    assert reported["parts"]["at_k_undefined"] is None


def test_a_supported_segment_covers_the_listed_facts_that_it_holds(numbers):
    Prompt.objects.update(reference_facts=["One is odd.", "Whales sing songs."])
    [amber] = build_dataset_stats(numbers)["reference"]["subjects"]
    assert amber["recall"] == 1 / 2
    add_run(numbers, dict.fromkeys(Segment.objects.filter(response__dataset=numbers), "S"))
    reported = {entry["evaluator"]: entry for entry in build_report(numbers)["evaluators"]}
    assert [reported[name]["reference"]["subjects"][0]["recall"] for name in ("judge", "always-not-supported")] == [
        1 / 2,
        0,
    ]


def means(dataset, name="judge", **options):
    """The means over subjects in the report: of F1@K, and of recall of lists."""
    [entry] = [each for each in build_report(dataset, **options)["evaluators"] if each["evaluator"] == name]
    return entry["at_k"]["mean"]["f1"], entry["reference"] and entry["reference"]["mean"]["recall"]


def test_the_report_has_means_over_subjects_and_none_where_the_run_lacks_one(listed):
    """All facts called supported, at K = 4: of amber S = 3, 3, none: 6/7, 6/7, 0; of basalt S = 4, 2, 1: 1, 2/3, 2/5.
    Of lists: (3/4 + 0) / 2 and (3/4 + 1) / 2."""
    judge(listed, "S")
    f1, recall = means(listed, k=4)
    assert f1 == pytest.approx(((6 / 7 + 6 / 7) / 3 + (1 + 2 / 3 + 2 / 5) / 3) / 2)
    assert recall == pytest.approx((3 / 8 + 7 / 8) / 2)

    # A run of the first response covers nothing of basalt.
    first = listed.responses.get(subject="amber", prompt__topic="Ada")
    run = add_run(listed, dict.fromkeys(AtomicFact.objects.filter(segment__response=first), "S"), "first")
    RunItem.objects.create(run=run, response=first, position=0, state="done")
    [entry] = [each for each in build_report(listed, k=4)["evaluators"] if each["evaluator"] == "first"]
    assert [(row["subject"], row["n"]) for row in entry["at_k"]["subjects"]] == [("amber", 1), ("basalt", 0)]
    assert means(listed, "first", k=4) == (None, None)


def test_the_leaderboard_of_detection_shows_the_means(listed):
    judge(listed, "S")
    client, address = client_for(listed), reverse("leaderboard", args=[listed.pk])
    plain = squeezed(client.get(address).content.decode())
    assert 'id="sort-f1_at_k"' not in plain
    query = {"column": ["f1_at_k", "of_lists"], "k": "4"}
    page = squeezed(client.get(address, query).content.decode())
    # (0.571 + 0.689) / 2 and (0.375 + 0.875) / 2, as worked above.
    assert '<td class="num">0.630' in page
    assert '<td class="num">0.625' in page
    assert "of the subject with the fewest" in page
    assert "K = 4." in page
    amber = squeezed(client.get(address, {**query, "slice": "amber"}).content.decode())
    assert 'title="of the whole dataset only">–' in amber
    lines = client.get(address, {**query, "table": "leaderboard", "as": "csv"}).content.decode().splitlines()
    [row] = [row for row in csv.DictReader(lines) if row["Evaluator"] == "judge"]
    assert (float(row["F1@K"]), row["F1@K low"], row["K"]) == (pytest.approx(0.6301587), "", "4")
    assert float(row["Recall of lists"]) == 0.625
    latex = client.get(address, {**query, "table": "leaderboard", "as": "latex"}).content.decode()
    assert "F1@K" in latex
    assert "K = 4" in latex


def client_for(dataset):
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    return client


def test_the_leaderboard_of_claims_has_f1_at_k_by_the_k_in_its_address(sea):
    add_run(sea, dict.fromkeys(Segment.objects.filter(response__dataset=sea), "S"))
    client, address = client_for(sea), reverse("leaderboard", args=[sea.pk])
    text = squeezed(client.get(address, {"level": "recall", "k": "8"}).content.decode())

    assert '<option value="median">' in text
    assert 'value="8"' in text
    assert "K = 8." in text
    # S = 4: recall 1/2, precision 1.
    assert "<strong>0.667</strong>" in text
    assert f"{reverse('report-json', args=[sea.pk])}?k=8" in text
    assert ">Claims</a>" in text
    assert ">Segments</a>" not in text
    report = client.get(reverse("report-json", args=[sea.pk]), {"k": "8"}).json()
    assert report == json.loads(json.dumps(build_report(sea, k=8)))
    assert client.get(address, {"k": "none"}).status_code == 404
    csv = client.get(address, {"level": "recall", "k": "median", "table": "leaderboard", "as": "csv"}).content.decode()
    assert "Recall at K" in csv.splitlines()[0]


def test_the_leaderboard_says_why_an_evaluator_of_segments_has_none(numbers):
    said = dict.fromkeys(Segment.objects.filter(response__dataset=numbers), "S")
    add_run(numbers, said, "whole")
    run = add_run(numbers, said, "parts")
    ExtractedClaim.objects.create(
        run=run, response=numbers.responses.get(), position=0, text="A claim.", value="supported"
    )
    text = client_for(numbers).get(reverse("leaderboard", args=[numbers.pk]), {"level": "recall"}).content.decode()
    assert "a segment may state several facts, or none" in text


def test_the_page_of_subject_models_has_f1_at_k_of_claims_and_says_why_not_of_segments(sea, numbers):
    text = squeezed(client_for(sea).get(reverse("subject-models", args=[sea.pk]), {"k": "2"}).content.decode())
    assert "0.400" in text
    assert "K is 2 supported claims in every response" in text
    client = Client()
    client.force_login(make_person("sam", numbers, "researcher"))
    text = squeezed(client.get(reverse("subject-models", args=[numbers.pk])).content.decode())
    assert "F1@K is undefined here: a segment may state several facts, or none." in text


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


def test_a_list_that_comes_later_or_is_replaced_is_on_the_pages(bios, rhea, tmp_path):
    judge(bios, "S")
    page, board = reverse("subject-models", args=[bios.pk]), reverse("report-json", args=[bios.pk])

    def by_gold():
        lines = rhea.get(page, {"table": "subjects", "as": "csv"}).content.decode().splitlines()
        return [row["recall of lists"] for row in csv.DictReader(lines)]

    def estimated():
        [entry] = [each for each in rhea.get(board).json()["evaluators"] if each["evaluator"] == "judge"]
        return entry["reference"] and [row["recall"] for row in entry["reference"]["subjects"]]

    def imported(*facts, **options):
        file = tmp_path / "lists.jsonl"
        write_rows(file, {"topic": "Ada", "facts": facts})
        import_reference_facts(Dataset.objects.get(), file, **options)

    assert "Of lists" not in rhea.get(page).content.decode()
    assert (by_gold(), estimated()) == (["", ""], None)
    imported("Ada was word0.")
    assert "Of lists" in rhea.get(page).content.decode()
    assert (by_gold(), estimated()) == (["1.0", "1.0"], [1, 1])
    # As many prompts have a list as before, and nobody states its second fact.
    imported("Ada was word0.", "Nothing like that.", replace=True)
    assert (by_gold(), estimated()) == (["0.5", "0.5"], [0.5, 0.5])


def test_commands_take_k(bios, capsys):
    judge(bios, "S")
    for command in ("dataset_stats", "score_subjects", "report"):
        call_command(command, "lab", "--k", "2", "--json")
        document = json.loads(capsys.readouterr().out)
        parts = document.get("evaluators", [document])
        assert {part["at_k"]["k"] for part in parts} == {2}
        call_command(command, "lab", "--k", "2")
        assert ("at K" if command == "dataset_stats" else "F1@K") in capsys.readouterr().out


@pytest.mark.parametrize("k", ["0", "-1", "1.5", "1001", "mean"])
def test_commands_refuse_another_k(bios, k):
    with pytest.raises(CommandError, match="is no whole number from 1 to 1000"):
        call_command("dataset_stats", "lab", f"--k={k}")


def rows(text, label):
    table = re.search(rf'aria-label="{label}".*?</table>', squeezed(text))[0]
    return re.findall(r'<tr><th scope="row">([^<]+)', table)


def test_the_csv_of_the_report_and_of_the_leaderboard_have_f1_at_k_with_its_k(bios, rhea):
    judge(bios, "S")
    read = {"table": "leaderboard", "as": "csv", "k": "4"}

    def lines(name, **query):
        text = b"".join(rhea.get(reverse(name, args=[bios.pk]), query)).decode("utf-8-sig")
        return [row for row in csv.DictReader(text.splitlines()) if "judge" in row.values()]

    [entry] = [each for each in build_report(bios, k=4)["evaluators"] if each["evaluator"] == "judge"]
    expected = [(row["f1"], *(row["f1_interval"] or (None, None))) for row in entry["at_k"]["subjects"]]
    # Facts of amber: 3, 3, none; of basalt 4, 2, 1; every one is called supported.
    assert [f1 for f1, _, _ in expected] == pytest.approx([(6 / 7 + 6 / 7 + 0) / 3, (1 + 2 / 3 + 2 / 5) / 3])
    for level in ("estimate", "recall"):
        found = {row["Subject"]: row for row in lines("leaderboard", level=level, **read)}
        cells = [[found[name][f"F1@K{end}"] for end in ("", " low", " high")] for name in ("amber", "basalt")]
        assert cells == [["" if cell is None else str(cell) for cell in row] for row in expected]
        assert {row["K"] for row in found.values()} == {"4"}
    of_report = [row for row in lines("report-csv", k="4") if row["level"] == "recall"]
    assert [(row["slice"], row["k"]) for row in of_report] == [("amber", "4"), ("basalt", "4")]
    assert [row["f1_at_k"] for row in of_report] == [str(f1) for f1, _, _ in expected]
    assert (
        f"{reverse('report-csv', args=[bios.pk])}?k=4"
        in rhea.get(reverse("leaderboard", args=[bios.pk]), {"k": "4"}).content.decode()
    )


def test_the_page_of_gold_sorts_by_f1_and_keeps_k_in_its_links(bios, rhea):
    page = reverse("subject-models", args=[bios.pk])
    # FActScore: amber (2/3 + 1/3) / 2 = 1/2; basalt (1 + 0 + 1) / 3.
    assert rows(rhea.get(page).content.decode(), "Subject models by gold") == ["basalt", "amber"]
    text = rhea.get(page, {"k": "2", "sort": "f1"}).content.decode()

    assert rows(text, "Subject models by gold") == ["amber", "basalt"]
    assert 'name="k"' in text
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
    text = rhea.get(reverse("subject-models", args=[bios.pk]), asked).content.decode("utf-8-sig")
    head, first, *_ = text.splitlines()
    cells = dict(zip(head.split(","), first.split(","), strict=True))

    assert cells["subject"] == "basalt"
    assert float(cells["F1@K"]) == pytest.approx((1 + 0 + 2 / 3) / 3)
    assert float(cells["precision of claims"]) == pytest.approx((1 + 0 + 1) / 3)
