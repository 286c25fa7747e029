"""Evaluators to use, and which units they contradict."""

import pytest

from annotate.models import User
from evaluators.audit.find import addresses_of, evaluators_of, units_of
from evaluators.comparison.evaluator_rows import evaluator_rows
from evaluators.comparison.figures import compare
from evaluators.comparison.question import ComparisonQuestion
from evaluators.comparison.study import study_of
from evaluators.comparison.verdict_text import pairs_of, verdict_of
from evaluators.runs.listing import Spent
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.second_look.work import make_units, send_all
from tests.evaluators.audit.work import make_audited
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def found(dataset, wants=1):
    dataset.refresh_from_db()
    study = study_of(dataset, None)
    return study, units_of(study, [each.judge for each in evaluators_of(study)], wants)


def addresses(study, units, places):
    return [segment for segment, _ in addresses_of(study.table, units.row[places].tolist())]


def test_good_is_who_beats_calling_everything_an_error():
    dataset, units = make_audited(20, 0)
    add_run(dataset, dict.fromkeys(units, "N"), name="trivial in disguise")
    good = {each.judge.name: each.is_good for each in evaluators_of(study_of(dataset, None))}
    assert good == {"judge 0": True, "judge 1": True, "judge 2": True, "trivial in disguise": False}


def test_the_comparison_warns_of_all_that_are_not_good():
    """A guesser, one that leaves out half, and one that copies the baseline, beside three that are good."""
    dataset, units = make_audited(40, 0)
    add_run(dataset, dict.fromkeys(units, "N"), name="trivial in disguise")
    add_run(dataset, {unit: "SN"[place % 2] for place, unit in enumerate(units[:20])}, name="half")
    add_run(dataset, {unit: "SNNS"[place % 4] for place, unit in enumerate(units)}, name="guesser")
    study = study_of(dataset, None)
    good = {each.judge.name for each in evaluators_of(study) if each.is_good}
    document = compare(dataset, None, ComparisonQuestion("segment", "domain"))
    lines = evaluator_rows(document, {row["run"]: Spent() for row in document["evaluators"]})
    verdict = verdict_of(lines, pairs_of(document), "f1")
    ranked = {line.name for line in lines if line.rank is not None}
    assert good == ranked - {*verdict.no_better_than_all_errors} == {"judge 0", "judge 1", "judge 2"}
    assert {*verdict.no_better_than_all_errors} == {"trivial in disguise", "guesser"}
    assert {each.judge.name: each.margin.unranked for each in evaluators_of(study)}["half"] == (
        "judged 50 % of the units; 95 % are asked for"
    )


def test_trivial_baselines_are_never_believed():
    dataset, units = make_audited(4, 0)
    add_run(dataset, dict.fromkeys(units, "S"), name="always", method="always-supported")
    assert "always" not in {each.judge.name for each in evaluators_of(study_of(dataset, None))}


def test_candidates_are_contradicted_by_enough():
    dataset, made = make_audited(20, 4)
    study, units = found(dataset)
    assert addresses(study, units, units.candidates(2)) == [unit.pk for unit in made[20:]]
    assert addresses(study, units, units.candidates(3)) == [made[20].pk, made[22].pk]


def test_controls_are_contradicted_by_none():
    dataset, made = make_audited(20, 4)
    study, units = found(dataset)
    assert addresses(study, units, units.controls(2)) == [unit.pk for unit in made[:20]]


def test_what_too_few_have_judged_is_no_control():
    dataset, made = make_units(["supported"])
    add_run(dataset, {made[0]: "S"}, name="one")
    add_run(dataset, {made[0]: "?"}, name="two")
    _, units = found(dataset)
    assert (len(units.controls(1)), len(units.controls(2))) == (1, 0)


def test_what_could_not_be_read_contradicts_nothing():
    dataset, made = make_units(["supported", "not_supported"])
    add_run(dataset, {made[0]: "?", made[1]: "I"}, name="one")
    _, units = found(dataset)
    assert len(units.candidates(1)) == 0


def test_what_was_sent_is_not_found_again():
    dataset, made = make_audited(20, 4)
    send_all(dataset, made[20:22])
    study, units = found(dataset)
    assert addresses(study, units, units.candidates(2)) == [unit.pk for unit in made[22:]]
    assert units.looked_at == 2


def test_what_nobody_may_look_at_is_not_sent():
    dataset, made = make_audited(20, 4)
    task = make_task(made[20].response, wants=3)
    for name in ("ada", "ben", "cleo"):
        judge(task, User.objects.get(username=name), {})
    _, units = found(dataset)
    assert (units.contradicted(2).sum(), len(units.candidates(2))) == (4, 3)
    assert not found(dataset, wants=4)[1].reachable.any()


def test_facts_are_found_at_their_own_addresses():
    dataset = make_dataset(scheme="factscore")
    make_person("ada", dataset)
    facts = add_facts(make_response(dataset), [["A fact."], ["Another."]])
    add_gold(facts[0], "supported")
    add_gold(facts[1].segment, "irrelevant")
    add_run(dataset, {facts[0]: "N", facts[1]: "S"}, name="one")
    study, units = found(dataset)
    assert addresses_of(study.table, units.row.tolist()) == [(facts[0].segment_id, facts[0].pk)]
    assert len(units.candidates(1)) == 1
