"""Data sets of others go in by their recipes, with the figures that are counted in their files."""

import json
from collections import Counter

import pytest

from annotate.corpus.aligning import align
from annotate.corpus.choices import Choices, make_document
from annotate.corpus.find_recipe import shipped_recipes
from annotate.corpus.first_rows import first_rows
from annotate.corpus.guess import find_paths, guess
from annotate.corpus.importing import import_file
from annotate.corpus.recipe_parser import parse_recipe
from annotate.corpus.recognise import recognise
from annotate.models import AtomicFact, GoldLabel, Import, ReferenceLink, Response, Segment

pytestmark = [pytest.mark.data, pytest.mark.django_db]


@pytest.fixture(scope="session")
def outside(published):
    folder = published / "outside"
    if not folder.is_dir():
        pytest.skip("the data sets of others are not at ../shared/data/outside")
    return folder


def bring_in(path, name):
    recipe = shipped_recipes()[name]
    assert recipe.tested
    return import_file(path, name, Import.Format.MAPPED, recipe=recipe)


def kept(rows, key):
    """How often the file says what under the key, of rows with `extra`."""
    return Counter(extra["kept"].get(key) for extra in rows.values_list("extra", flat=True))


def test_factool(outside):
    result = bring_in(outside / "factool_knowledge_qa.jsonl", "factool-qa")
    assert (result.created, AtomicFact.objects.count()) == (50, 233)
    assert Counter(GoldLabel.objects.values_list("value", flat=True)) == {"supported": 177, "not_supported": 56}
    assert kept(Response.objects, "label") == {False: 27, True: 23}
    assert (result.mapped.aligned, result.mapped.claims, result.mapped.unread) == (230, 233, [])
    assert AtomicFact.objects.filter(segment__extra={"claims": "not aligned"}).count() == 3


def test_factcheck_bench(outside):
    result = bring_in(outside / "factcheck_bench.jsonl", "factcheck-bench")
    assert kept(Response.objects, "response_factuality") == {True: 24, False: 68, "NA": 2}
    assert kept(Segment.objects, "sentence_factuality_label") == {True: 148, False: 129, "NA": 34}
    assert kept(AtomicFact.objects, "label") == {"no": 472, "yes": 159, "not_enough_evidence": 30, "NA": 17}
    assert kept(AtomicFact.objects, "claim_checkworthiness") == {"factual": 661, "opinion": 16, "not_a_claim": 1}
    assert result.mapped.outcomes == {
        "supported": 472,
        "not_supported": 159,
        "not_enough_evidence": 30,
        "not_checkworthy": 17,
    }
    assert Counter(GoldLabel.objects.values_list("value", flat=True)) == {"supported": 472, "not_supported": 159}
    # Five retrieved passages a claim, and what people found: 184 of their texts stand with gold.
    assert ReferenceLink.objects.filter(gold__isnull=False).count() == result.mapped.evidence == 5 * 631 + 184
    stances = Counter(ReferenceLink.objects.filter(gold__isnull=False).values_list("stance", flat=True))
    assert sum(stances[stance] for stance in ("supports", "refutes", "insufficient")) == 5 * 631
    # Two passages of line 12 hold NUL characters; each stands with its claim and with the response.
    assert [warning["line"] for warning in result.warnings] == [12] * 4
    assert result.mapped.unread == []


def test_factcheck_bench_by_sentences(outside):
    result = bring_in(outside / "factcheck_bench.jsonl", "factcheck-bench-sentences")
    assert result.mapped.outcomes == {"supported": 148, "not_supported": 129, "not_checkworthy": 34}
    assert Counter(GoldLabel.objects.values_list("value", flat=True)) == {"supported": 148, "not_supported": 129}
    passages = {}
    with (outside / "factcheck_bench.jsonl").open(encoding="utf-8") as file:
        for number, line in enumerate(file):
            sentences = json.loads(line)["sentences"].values()
            passages[number] = {text for each in sentences for found in each["auto_evidence"] for text in found}
    # A passage of several claims stands with the response once.
    references = ReferenceLink.objects.filter(response__isnull=False)
    assert references.count() == sum(map(len, passages.values())) == result.mapped.references == 2470
    assert result.mapped.evidence == 0


def test_a_mapping_of_factcheck_bench_is_guessed(outside):
    """It differs from the recipe in what is kept, and in the evidence that people found."""
    path = outside / "factcheck_bench.jsonl"
    guessed = guess(find_paths(list(first_rows(path).values())))
    assert guessed["label"] == "sentences.*.if_claim_needs_edit.*"
    shipped = shipped_recipes()["factcheck-bench"].responses[0].sentences.claims.label
    values = {value: outcome.value for value, outcome in shipped.values.items()}
    chosen = Choices(**{**guessed, "other_labels": (), "values": values})
    result = import_file(
        path, "guessed", Import.Format.MAPPED, recipe=parse_recipe(make_document("Guessed", chosen)), dry_run=True
    )
    assert result.mapped.outcomes == {
        "supported": 472,
        "not_supported": 159,
        "not_enough_evidence": 30,
        "not_checkworthy": 17,
    }
    # Five retrieved passages for each claim with gold.
    assert result.mapped.evidence == 5 * 631


def test_the_fields_of_expertqa_and_factool_are_guessed(outside):
    expertqa = guess(find_paths(list(first_rows(outside / "expertqa_rand_test.jsonl").values())))
    assert (expertqa["kind"], expertqa["label"]) == ("claims", "answers.*.claims.*.correctness")
    assert expertqa["evidence"] == "answers.*.claims.*.evidence.*"
    factool = guess(find_paths(list(first_rows(outside / "factool_knowledge_qa.jsonl").values())))
    assert (factool["unit"], factool["label"]) == ("claims.*.claim", "claims.*.label")


def test_expertqa(outside):
    result = bring_in(outside / "expertqa_rand_test.jsonl", "expertqa")
    assert (result.created, AtomicFact.objects.count()) == (219, 1292)
    assert Counter(Response.objects.values_list("subject", flat=True)) == {
        "bing_chat": 49,
        "post_hoc_sphere_gpt4": 45,
        "rr_gs_gpt4": 42,
        "post_hoc_gs_gpt4": 38,
        "rr_sphere_gpt4": 28,
        "gpt4": 17,
    }
    assert kept(AtomicFact.objects, "label") == {
        "Definitely correct": 722,
        "Probably correct": 394,
        "Unsure": 115,
        "Definitely incorrect": 34,
        "Likely incorrect": 26,
        None: 1,
    }
    assert kept(AtomicFact.objects, "support") == {
        "Complete": 733,
        "Missing": 227,
        "Incomplete": 200,
        "Partial": 70,
        "N/A": 62,
    }
    assert kept(AtomicFact.objects, "reliability") == {
        "Reliable": 535,
        "Somewhat reliable": 357,
        "Missing": 264,
        "Not reliable at all": 74,
        "N/A": 62,
    }
    assert Counter(GoldLabel.objects.values_list("value", flat=True)) == {"supported": 1116, "not_supported": 60}
    assert result.mapped.outcomes["not_enough_evidence"] == 115
    # Eight claims go over the border of a block, such as from an item of a list to the next.
    assert (result.mapped.aligned, result.mapped.claims) == (1284, 1292)
    assert result.mapped.unread == [
        "annotator_id",
        "answers.*.claims.*.source_reliability",
        "answers.*.claims.*.revised_claim_string",
    ]


def test_claims_are_aligned_to_the_sentences_that_people_cut_them_from(outside):
    """Factcheck-Bench says from which sentence each claim is: nine in ten are found again."""
    bring_in(outside / "factcheck_bench.jsonl", "factcheck-bench")
    found: Counter[str] = Counter()
    for response in Response.objects.prefetch_related("segments__facts"):
        sentences = list(response.segments.all())
        claims = [(fact.text, place) for place, each in enumerate(sentences) for fact in each.facts.all()]
        places = align([text for text, _ in claims], [sentence.text for sentence in sentences])
        for (_, right), place in zip(claims, places, strict=True):
            found["none" if place is None else "right" if place == right else "wrong"] += 1
    assert found == {"right": 623, "wrong": 37, "none": 18}


@pytest.mark.parametrize(
    ("file", "title", "responses", "gold"),
    [
        ("factool_knowledge_qa.jsonl", "FacTool knowledge QA", 50, {"supported": 177, "not_supported": 56}),
        ("factcheck_bench.jsonl", "Factcheck-Bench", 94, {"supported": 472, "not_supported": 159}),
        ("expertqa_rand_test.jsonl", "ExpertQA", 219, {"supported": 1116, "not_supported": 60}),
    ],
)
def test_each_is_recognised_and_goes_in_as_it_is(outside, file, title, responses, gold):
    format, recipe = recognise(outside / file, "new", "")
    assert recipe.title == title
    result = import_file(outside / file, "new", format, recipe=recipe)
    assert (result.created, Counter(GoldLabel.objects.values_list("value", flat=True))) == (responses, gold)
