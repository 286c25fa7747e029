"""Generated facts beside facts that people judge: kept as claims of the run, aligned to these."""

import pytest
from django.urls import reverse

from evaluators.bundle.export import export_results
from evaluators.bundle.take_in import import_results
from evaluators.comparison.report import build_report
from evaluators.models import ExtractedClaim, Run
from evaluators.reproduction.measure import scratch_database
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

OWN = {"facts": "generated", "demonstrations": "0"}
PROGRAM, MUSIC, LONDON, YEAR, YOUNG = range(5)
FIGURES = {
    "claim_precision": (1, 3),
    "unit_coverage": (4, 5),
    "missing_units": (1, 5),
    "invented_claims": (1, 4),
    "merged_claims": (1, 4),
}


def make_lives():
    """Of Ada people judge five facts; of Ben none."""
    dataset = make_dataset("lives", scheme="factscore")
    sentences = [
        "Ada wrote a program and Ada was wrong about music.",
        "Ada lived in London in 1815 and cats sleep.",
    ]
    ada = make_response(dataset, sentences, prompt="Ada", subject="m", frequency="rare")
    facts = add_facts(
        ada,
        [
            ["Ada wrote a program.", "Ada was wrong about music."],
            ["Ada lived in London.", "Ada lived in 1815.", "Ada died young."],
        ],
    )
    for place, fact in enumerate(facts):
        add_gold(fact, "not_supported" if place == YEAR else "supported")
    ben = make_response(dataset, ["Ben sang and Ben was wrong."], prompt="Ben", subject="m", frequency="rare")
    ben.prompt.reference_facts = ["Ben sang."]
    ben.prompt.save()
    return dataset


@pytest.fixture
def lives(db):
    return make_lives()


def work(dataset, method="factscore-no-context", parameters=OWN):
    run = create_run(dataset, method, model="m", parameters=parameters).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == ("finished", "")
    return run


def claims_of(run):
    """Of each claim its text, verdict and sentence, and the places of its facts among Ada's five."""
    places = {(0, 0): PROGRAM, (0, 1): MUSIC, (1, 0): LONDON, (1, 1): YEAR, (1, 2): YOUNG}
    return [
        (
            claim.text,
            claim.value,
            claim.segment,
            [places[each.segment.position, each.fact.position] for each in claim.alignments.in_reading_order()],
        )
        for claim in run.extracted_claims.in_reading_order()
    ]


ALIGNED = [
    ("Ada wrote a program.", "supported", 0, [PROGRAM]),
    ("Ada was wrong about music.", "not_supported", 0, [MUSIC]),
    ("Ada lived in London in 1815.", "supported", 1, [LONDON, YEAR]),
    ("cats sleep.", "supported", 1, []),
]


def entry_of(dataset, run, **options):
    (entry,) = [each for each in build_report(dataset, **options)["evaluators"] if each["run"] == run.pk]
    return entry


def counts_of(entry):
    return {key: (figure["count"], figure["n"]) for key, figure in entry["extraction"]["figures"].items()}


def test_generated_facts_are_kept_as_claims_where_people_judge_facts(lives, model):
    run = work(lives)

    assert claims_of(run) == ALIGNED
    assert {each.fact.fact_set.origin for claim in run.extracted_claims.all() for each in claim.alignments.all()} == {
        "human"
    }
    of_claims = [list(claim.calls.all()) for claim in run.extracted_claims.in_reading_order()]
    assert of_claims == [list(each.calls.all()) for each in run.predictions.in_reading_order()][:4]


def test_their_extraction_is_measured_beside_gold(lives, model):
    """Right about the program alone: gold supports the music, and not the year that the third claim holds too. Nobody
    says that she died young, and no fact is about cats."""
    entry = entry_of(lives, work(lives))

    assert (entry["extraction"]["claims"], entry["extraction"]["units"]) == (4, 5)
    assert counts_of(entry) == FIGURES


def test_estimates_are_those_of_all_facts_that_it_generated(lives, model):
    """At K = 2 Ada has S = 3, N = 1: precision 3/4, recall 1, F1 6/7; Ben, of whom no claim is kept, S = N = 1: F1 1/2.
    Of Ben's list the one fact is covered."""
    run = work(lives)
    entry = entry_of(lives, run, k=2)

    [subject], [at_k] = entry["subjects"], entry["at_k"]["subjects"]
    assert (subject["estimated"], subject["factscore"]) == (0.75, 0.8)
    assert at_k["f1"] == pytest.approx((6 / 7 + 1 / 2) / 2)
    assert (entry["results"][0]["coverage"], run.predictions.count()) == (0.0, 6)
    ExtractedClaim.objects.all().delete()
    assert entry_of(lives, run, k=2) == entry | {"extraction": None}
    assert entry["reference"]["subjects"][0]["recall"] == 1.0


def test_facts_that_people_write_later_are_not_missed(lives, model):
    run = work(lives)
    [fact] = add_facts(lives.responses.get(index="m/Ben"), [["Ben sang."]])
    add_gold(fact, "supported")

    assert counts_of(entry_of(lives, run)) == FIGURES


def test_a_response_of_which_it_generated_nothing_is_missed(lives, model):
    away = make_response(lives, ["I'm sorry, I know nobody of that name."], prompt="Cleo", subject="m")
    [fact] = add_facts(away, [["I know nobody."]])
    add_gold(fact, "supported")

    assert counts_of(entry_of(lives, work(lives)))["missing_units"] == (2, 6)


def test_without_facts_of_people_nothing_is_kept(db, model):
    dataset = make_dataset(scheme="factscore")
    make_response(dataset, ["She wrote and she was wrong."], prompt="Ada", subject="m")
    run = work(dataset)

    assert (run.predictions.count(), run.extracted_claims.count()) == (2, 0)
    assert entry_of(dataset, run)["extraction"] is None


def test_a_fact_that_is_left_out_is_no_claim(lives, model):
    """Self-check has no other answers to hold it against."""
    run = work(lives, "factscore-self-check")

    assert [item.skipped for item in run.items.all()] == [{"no other sample": 4}, {"no other sample": 2}]
    assert not run.extracted_claims.exists()


def test_facts_that_people_judge_are_no_claims(lives, model):
    run = work(lives, parameters={})

    assert (run.predictions.count(), run.extracted_claims.count()) == (5, 0)


def test_elsewhere_the_claims_are_aligned_to_the_same_facts(lives, model, tmp_path):
    """The address of a fact that the run generated is that of one of people."""
    run = work(lives)
    entry = entry_of(lives, run)
    export_results(lives, tmp_path / "r.zip")
    with scratch_database():
        here = make_lives()
        assert import_results(here, tmp_path / "r.zip").differences == []
        there = Run.objects.get()
        assert claims_of(there) == ALIGNED
        assert entry_of(here, there)["extraction"] == entry["extraction"]


def test_the_pages_of_the_run_and_of_the_leaderboard_show_them(lives, model, client):
    run = work(lives)
    client.force_login(make_person("rhea", lives, "researcher"))

    assert "4 claims extracted by the method" in client.get(reverse("run", args=[run.pk])).content.decode()
    board = client.get(f"{reverse('leaderboard', args=[lives.pk])}?column=claim_precision").content.decode()
    assert 'title="1 of 3"' in board
