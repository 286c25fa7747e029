"""A run's own claims beside gold, as they are read from the database."""

import pytest

from annotate.gold.read import read_gold
from annotate.models import Prompt
from evaluators.comparison.extraction import extractions_of
from evaluators.comparison.report import build_report
from stats.bootstrap import Resampling
from tests.evaluators.comparison.rows import SHORT, add_run
from tests.factories import add_facts, add_gold, make_dataset, make_response

pytestmark = pytest.mark.django_db


def add_claims(run, response, *claims):
    """Claims of a response: each a letter of SHORT and the units that say it."""
    run.items.get_or_create(response=response, position=response.position, state="done")
    for position, (letter, *units) in enumerate(claims):
        claim = run.extracted_claims.create(
            response=response, position=position, text=f"Claim {position}.", value=SHORT[letter]
        )
        for unit in units:
            fact = unit if hasattr(unit, "fact_set_id") else None
            claim.alignments.create(segment=fact.segment if fact else unit, fact=fact)


def extraction(dataset, run):
    table = read_gold(dataset)
    return extractions_of([run], table, Resampling(table.strata)).get(run.pk)


def counts(found):
    return {key: (figure["count"], figure["n"]) for key, figure in found["figures"].items()}


@pytest.fixture
def numbers():
    """Three responses of two segments, "One is odd." right and "Two is odd." wrong in gold."""
    dataset = make_dataset()
    for _ in range(3):
        first, second = make_response(dataset).segments.all()
        add_gold(first, "supported")
        add_gold(second, "not_supported")
    return dataset


def test_only_responses_that_the_run_got_to_an_end_with_count(numbers):
    first, second, third = numbers.responses.order_by("position")
    run = add_run(numbers, {}, method="veriscore")
    one, two = first.segments.all()
    # Of the first response: right about the first segment, wrong about both together, and one of nothing.
    add_claims(run, first, ("S", one), ("S", one, two), ("N",))
    # Of the second nothing at all; the third failed, so that neither its units nor its claims count.
    add_claims(run, second)
    add_claims(run, third, ("N", third.segments.all()[1]))
    run.items.filter(response=third).update(state="failed")

    found = extraction(numbers, run)

    assert (found["claims"], found["units"]) == (3, 4)
    assert counts(found) == {
        "claim_precision": (1, 2),
        "unit_coverage": (2, 4),
        "missing_units": (2, 4),
        "invented_claims": (1, 3),
        "merged_claims": (1, 3),
    }


def test_each_domain_has_its_own_figures(numbers):
    """A second domain of one response, whose claim holds both segments; a response without a domain is in neither."""
    first, second, third = numbers.responses.order_by("position")
    for response, domain in ((second, "law"), (third, "")):
        response.prompt = Prompt.objects.create(dataset=numbers, text=f"In {domain}?", domain=domain)
        response.save()
    run = add_run(numbers, {}, method="veriscore")
    add_claims(run, first, ("S", first.segments.all()[0]), ("N",))
    add_claims(run, second, ("N", *second.segments.all()))
    add_claims(run, third, ("S",))
    found = extraction(numbers, run)

    keys = ("claim_precision", "unit_coverage", "invented_claims", "merged_claims")
    of_slices = {name: [counts(part)[key] for key in keys] for name, part in found["slices"].items()}
    assert of_slices == {"math": [(1, 1), (1, 2), (1, 2), (0, 2)], "law": [(1, 1), (2, 2), (0, 1), (1, 1)]}
    assert [counts(found)[key] for key in keys] == [(2, 2), (3, 6), (2, 4), (1, 4)]


def test_a_run_without_claims_has_no_extraction(numbers):
    run = add_run(numbers, {})

    assert extraction(numbers, run) is None
    entries = {entry["evaluator"]: entry["extraction"] for entry in build_report(numbers)["evaluators"]}
    assert set(entries.values()) == {None}


def test_the_report_has_the_figures_of_the_last_run(numbers):
    first, *_ = numbers.responses.order_by("position")
    run = add_run(numbers, {}, "claimer", method="veriscore")
    add_claims(run, first, ("S", first.segments.all()[0]))

    entries = {entry["evaluator"]: entry["extraction"] for entry in build_report(numbers)["evaluators"]}

    assert entries["claimer"] == extraction(numbers, run)
    assert entries["claimer"]["figures"]["claim_precision"] == {
        "count": 1,
        "n": 1,
        "share": 1.0,
        "interval": None,
        "why": "",
    }
    assert entries["random"] is None


def test_facts_of_an_irrelevant_sentence_and_facts_without_gold_count_in_no_figure_but_are_said():
    lives = make_dataset("lives", scheme="factscore")
    response = make_response(lives, ["Ada was born.", "Hello."], prompt="Ada", subject="m")
    born, early, hello = add_facts(response, [["Ada was born.", "It was early."], ["Somebody says hello."]])
    add_gold(born, "supported")
    add_gold(response.segments.all()[1], "irrelevant")
    run = add_run(lives, {}, method="veriscore")
    add_claims(run, response, ("S", born), ("S", early), ("S", hello))

    found = extraction(lives, run)

    assert (found["claims"], found["units"]) == (3, 1)
    assert counts(found) == {
        "claim_precision": (1, 1),
        "unit_coverage": (1, 1),
        "missing_units": (0, 1),
        "invented_claims": (0, 3),
        "merged_claims": (0, 3),
    }


def test_a_claim_at_a_fact_that_people_do_not_judge_any_more_is_not_invented():
    lives = make_dataset("lives", scheme="factscore")
    response = make_response(lives, ["Ada was born."], prompt="Ada", subject="m")
    (old,) = add_facts(response, [["Ada was born."]])
    add_gold(old, "supported")
    run = add_run(lives, {}, method="veriscore")
    add_claims(run, response, ("S", old))
    old.fact_set.origin = "generated"
    old.fact_set.save()

    assert counts(extraction(lives, run))["invented_claims"] == (0, 1)
