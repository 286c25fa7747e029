"""What a run may spend: kept to by all of its owners, and gone on from when it is raised."""

from decimal import Decimal

import pytest

from evaluators.models import RunItem
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.budget import Room, RowBudget, Spending
from jobs.errors import StartError
from jobs.limits import Limits
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.models import Call, Price
from tests.evaluators.runs.test_leases import lease
from tests.factories import make_response

HELD, LATER, SPENT = Room.HELD, Room.LATER, Room.SPENT


def limited(lab, tokens=None, usd=None):
    run = create_run(lab, "always-supported").run
    run.max_tokens, run.max_cost_usd = tokens, usd
    run.save()
    return run


def budget_of(run, owner):
    return RowBudget(run, owner, RunItem)


def tokens(number):
    return Spending(number, None)


def spent_by(run):
    run.refresh_from_db()
    return run.spent_tokens


@pytest.fixture
def long_lab(lab):
    for number in range(17):
        make_response(lab, [f"{number} is odd.", "Is it?"])
    return lab


def test_calls_are_held_while_they_fit_beside_each_other(lab):
    budget = budget_of(limited(lab, tokens=100), "ada")
    assert budget.hold([tokens(60), tokens(40), tokens(1), tokens(101)]) == [HELD, HELD, LATER, SPENT]


def test_what_was_held_and_not_taken_is_free_again(lab):
    run = limited(lab, tokens=100)
    budget = budget_of(run, "ada")
    budget.hold([tokens(60), tokens(40)])
    budget.settle([(tokens(60), tokens(10)), (tokens(40), tokens(40))])
    assert spent_by(run) == 50
    assert run.held == {}
    assert budget.hold([tokens(50), tokens(51)]) == [HELD, SPENT]


def test_a_limit_of_price_holds_dollars(lab):
    budget = budget_of(limited(lab, usd=Decimal("0.5")), "ada")
    assert budget.hold([Spending(9, Decimal("0.3")), Spending(9, Decimal("0.3"))]) == [HELD, LATER]


def test_two_owners_keep_to_one_budget(lab):
    run = limited(lab, tokens=100)
    for owner in ("ada", "ben"):
        lease(run, owner, 1)
    assert budget_of(run, "ada").hold([tokens(60)]) == [HELD]
    assert budget_of(run, "ben").hold([tokens(60)]) == [LATER]


def test_what_a_lost_owner_held_is_free_when_its_leases_are(lab):
    run = limited(lab, tokens=100)
    lease(run, "ada", 1)
    budget_of(run, "ada").hold([tokens(60)])
    run.items.held_by("ada").give_back()
    assert budget_of(run, "ben").hold([tokens(60)]) == [HELD]


def test_without_a_limit_what_is_spent_is_counted(lab):
    run = limited(lab)
    budget = budget_of(run, "ada")
    assert budget.hold([tokens(10**9)]) == [HELD]
    budget.settle([(tokens(10**9), tokens(7))])
    assert spent_by(run) == 7


def test_a_run_stops_before_its_limit_and_says_so(long_lab, model):
    given = {"in_flight": "4", "max_tokens": "50"}
    run = create_run(long_lab, "felm-segment", model="m", parameters=given, limits=Limits(tokens=1500)).run
    work_on(RunJob(), run.pk)
    assert 0 < spent_by(run) <= 1500
    assert run.state == "out_of_budget"
    assert run.items.filter(state="done").exists()
    assert set(run.items.values_list("state", "attempts")) == {("done", 1), ("waiting", 0)}
    # Every answer that was paid for is kept.
    assert Call.objects.count() == model.stats()["total"]


def test_with_a_higher_limit_it_goes_on_where_it_stopped(long_lab, model):
    given = {"in_flight": "4", "max_tokens": "50"}
    run = create_run(long_lab, "felm-segment", model="m", parameters=given, limits=Limits(tokens=1500)).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert run.resume(Limits(tokens=100_000))
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert (run.state, run.error, run.predictions.count()) == ("finished", "", 40)
    assert model.stats()["total"] == Call.objects.count() == 19  # two of the twenty responses are the same


def test_a_limit_that_is_spent_already_is_refused(lab):
    run = limited(lab, tokens=100)
    budget_of(run, "ada").settle([(tokens(0), tokens(90))])
    run.refresh_from_db()
    with pytest.raises(StartError, match="has spent 90 tokens"):
        run.resume(Limits(tokens=90))


def test_answers_that_are_known_cost_no_budget(lab, model):
    work_on(RunJob(), create_run(lab, "felm-segment", model="m").run.pk)
    again = create_run(lab, "felm-segment", model="m", force=True, limits=Limits(tokens=1)).run
    work_on(RunJob(), again.pk)
    again.refresh_from_db()
    assert (again.state, again.spent_tokens) == ("finished", 0)


def test_a_limit_of_price_is_kept_to(long_lab, model):
    Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd=1000, completion_usd=1000)
    given = {"in_flight": "4", "max_tokens": "50"}
    limits = Limits(cost_usd=Decimal("1.5"))
    run = create_run(long_lab, "felm-segment", model="m", parameters=given, limits=limits).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert run.state == "out_of_budget"
    assert 0 < run.spent_usd <= Decimal("1.5")
