"""Limits of spending: of a dataset, and of a person in it, over everything that calls a model there."""

from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.urls import reverse

from annotate.grants.allowances import set_allowance
from annotate.models import Allowance, Generation, PromptWriting, Proposal, Role
from annotate.prompts.start import GenerationSettings
from annotate.prompts.start import start as generate
from annotate.prompts.writings import start_writing
from annotate.proposals.proposal_job import ProposalJob
from annotate.proposals.start import start as propose
from audit.models import Action, AuditEntry
from evaluators.models import Run, RunItem
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from factor.models import BenchmarkBuild, OpenEndedStudy, Perplexity, Scoring
from jobs.budget import Room, RowBudget, Spending
from jobs.errors import StartError
from jobs.kinds import KINDS, AsyncJobKind
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.models import Call, Price
from tests.evaluators.runs.test_leases import lease
from tests.factories import make_dataset, make_person, make_response

ONE = {"model": "m", "parameters": {"in_flight": "1", "max_tokens": "50"}}


@pytest.fixture
def lab(db, model):
    dataset = make_dataset()
    for number in range(6):
        make_response(dataset, [f"It is {number}."])
    return dataset


@pytest.fixture
def rhea(lab):
    return make_person("rhea", lab, Role.RESEARCHER)


@pytest.fixture
def priced(model):
    """A tenth of a cent a token."""
    return Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd=1000, completion_usd=1000)


def usd(amount):
    return Spending(1, Decimal(amount))


def budget_of(run, owner="ada"):
    return RowBudget(run, owner, RunItem, run.shared_budgets())


def spent(person=None):
    return Allowance.objects.get(person=person).spent_usd


def worked(run):
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    return run


def log_in(client, person, superuser=False):
    person.is_superuser = superuser
    person.save()
    client.force_login(person)


def test_a_call_has_to_fit_under_both_limits_and_counts_in_both(lab, rhea):
    set_allowance(lab, None, Decimal(10))
    set_allowance(lab, rhea, Decimal(3))
    budget = budget_of(create_run(lab, "felm-segment", **ONE, created_by=rhea).run)
    assert budget.hold([usd(2), usd(2), usd(4), usd(11)]) == [Room.HELD, Room.LATER, Room.SPENT, Room.SPENT]
    budget.settle([(usd(2), usd("1.25"))])
    assert [spent(), spent(rhea)] == [Decimal("1.25"), Decimal("1.25")]
    assert {left.left_usd for left in Allowance.objects.all()} == {Decimal("8.75"), Decimal("1.75")}
    assert budget.hold([usd("1.75")]) == [Room.HELD]
    assert budget.hold([usd("0.01")]) == [Room.LATER]


def test_others_and_commands_keep_to_the_datasets_limit_alone(lab, rhea):
    set_allowance(lab, None, Decimal(10))
    set_allowance(lab, rhea, Decimal(3))
    for person in (None, make_person("otto", lab, Role.RESEARCHER)):
        budget = budget_of(create_run(lab, "felm-segment", **ONE, created_by=person, force=True).run)
        assert budget.hold([usd(5)]) == [Room.HELD]
        budget.settle([(usd(5), usd(4))])
    assert [spent(), spent(rhea)] == [Decimal(8), Decimal(0)]
    assert budget.hold([usd(3)]) == [Room.SPENT]
    assert budget.reached.startswith("The limit of spending in lab for everybody, $10.00, is reached")


def test_another_dataset_is_not_concerned(lab, rhea):
    set_allowance(make_dataset("other"), None, Decimal(0))
    assert create_run(lab, "felm-segment", **ONE, created_by=rhea).created


def test_two_jobs_hold_in_one_limit_and_a_lost_owner_holds_nothing(lab):
    set_allowance(lab, None, Decimal(1))
    one, two = (create_run(lab, "felm-segment", **ONE, force=True).run for _ in range(2))
    lease(one, "ada", 1)
    assert budget_of(one, "ada").hold([usd("0.6")]) == [Room.HELD]
    assert budget_of(two, "ben").hold([usd("0.6")]) == [Room.LATER]
    one.items.held_by("ada").give_back()
    assert budget_of(two, "ben").hold([usd("0.6")]) == [Room.HELD]


def test_a_limit_that_is_set_during_work_holds_from_the_next_settled_call(lab):
    budget = budget_of(create_run(lab, "felm-segment", **ONE).run)
    assert budget.hold([usd(5), usd(5)]) == [Room.HELD, Room.HELD]
    set_allowance(lab, None, Decimal(1))
    budget.settle([(usd(5), usd("0.9"))])
    assert spent() == Decimal("0.9")
    assert budget.hold([usd("0.2")]) == [Room.SPENT]


@pytest.mark.django_db(transaction=True)
def test_a_run_stops_at_the_limit_says_which_and_goes_on_when_it_is_raised(lab, rhea, priced):
    set_allowance(lab, rhea, Decimal("0.5"))
    run = worked(create_run(lab, "felm-segment", **ONE, created_by=rhea).run)
    assert run.state == Run.State.OUT_OF_BUDGET
    assert run.error.startswith("The limit of spending in lab for the person who began it, $0.50, is reached")
    assert "rhea" not in run.error
    assert 0 < spent(rhea) == run.spent_usd <= Decimal("0.5")

    set_allowance(lab, rhea, spent(rhea))
    with pytest.raises(StartError, match="is spent: a site administrator"):
        run.resume()
    set_allowance(lab, rhea, Decimal(100))
    assert run.resume()
    assert worked(run).state == Run.State.FINISHED
    assert spent(rhea) == run.spent_usd == sum(Call.objects.values_list("cost_usd", flat=True))


def test_where_nothing_is_left_nothing_starts(lab, rhea):
    set_allowance(lab, None, Decimal(0))
    sentence = r"in lab for everybody, \$0.00, is spent"
    endpoint = default_endpoint()
    lab.collected_prompts.create(position=0, text="Is it?", origin="file")
    for begin in (
        lambda: create_run(lab, "felm-segment", **ONE, created_by=rhea),
        lambda: generate(lab, endpoint, GenerationSettings("m"), rhea),
        lambda: start_writing(lab, endpoint, "m", 5, 1, by=rhea),
        lambda: propose(lab, lab.responses.all(), "facts", "m", rhea),
    ):
        with pytest.raises(StartError, match=sentence):
            begin()
    with pytest.raises(CommandError, match=sentence):
        call_command("evaluate", "lab", "felm-segment", model="m")
    for table in (Run, Generation, PromptWriting, Proposal):
        assert not table.objects.exists()
    assert create_run(lab, "always-supported", created_by=rhea).created  # asks no model


@pytest.mark.django_db(transaction=True)
def test_an_unknown_price_is_not_nothing(lab, rhea, model):
    set_allowance(lab, None, Decimal(5))
    run = worked(create_run(lab, "felm-segment", **ONE, created_by=rhea).run)
    assert (run.state, model.stats()["total"]) == (Run.State.FAILED, 0)
    assert run.error.startswith("What m costs is not known")
    Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd=1, completion_usd=1)
    assert run.resume()
    assert worked(run).state == Run.State.FINISHED


@pytest.mark.django_db(transaction=True)
def test_work_without_a_job_keeps_to_them_too(lab, rhea, priced):
    set_allowance(lab, None, Decimal(100))
    set_allowance(lab, rhea, Decimal("0.01"))  # less than any call could take
    otto = make_person("otto", lab, Role.RESEARCHER)
    first, second = lab.responses.order_by("position")[:2]
    propose(lab, lab.responses.filter(pk=first.pk), "facts", "m", rhea)
    propose(lab, lab.responses.filter(pk=second.pk), "facts", "m", otto)
    work_on(ProposalJob(), lab.pk)
    refused = Proposal.objects.get(created_by=rhea)
    assert refused.state == "failed"
    assert refused.error.startswith("The limit of spending in lab for the person who began it, $0.01, is reached")
    assert "limit of spending" not in Proposal.objects.get(created_by=otto).error
    assert 0 < spent() == sum(Call.objects.values_list("cost_usd", flat=True))


def test_every_kind_that_asks_a_model_shares_them():
    sharing = {Run, Generation, PromptWriting, Proposal, BenchmarkBuild, Scoring, Perplexity, OpenEndedStudy}
    subjects = {kind.job or kind.items for kind in KINDS.values() if issubclass(kind, AsyncJobKind)}
    assert {each for each in subjects if "shared_budgets" in vars(each)} == sharing


@pytest.mark.parametrize(
    "columns", [{"max_cost_usd": -1}, {"max_cost_usd": None}, {"max_cost_usd": 1, "spent_usd": -1}]
)
def test_the_database_refuses_what_no_limit_is(lab, columns):
    with pytest.raises(IntegrityError):
        Allowance.objects.create(dataset=lab, **columns)


@pytest.mark.parametrize("personal", [True, False])
def test_the_database_keeps_one_a_dataset_and_person(lab, rhea, personal):
    person = rhea if personal else None
    Allowance.objects.create(dataset=lab, person=person, max_cost_usd=1)
    with pytest.raises(IntegrityError):
        Allowance.objects.create(dataset=lab, person=person, max_cost_usd=2)


def test_administrators_set_them_on_the_page_and_it_is_recorded(client, lab, rhea):
    log_in(client, make_person("boss"), superuser=True)
    address = reverse("allowance", args=[lab.pk])
    assert client.post(address, {"person": "", "limit": "10"}).status_code == 302
    assert client.post(address, {"person": rhea.pk, "limit": "2.5"}).status_code == 302
    Allowance.objects.filter(person=rhea).update(spent_usd=Decimal("1.25"))
    assert client.post(address, {"person": rhea.pk, "limit": "3"}).status_code == 302
    page = client.get(reverse("endpoints", args=[lab.pk])).content.decode()
    for text in ("Everybody", "rhea", "$10", "$3", "$1.25", "$1.75"):
        assert text in page
    assert client.post(address, {"person": rhea.pk, "limit": "-1"}).status_code == 422
    assert client.post(address, {"person": make_person("stranger").pk, "limit": "1"}).status_code == 422
    client.post(address, {"remove": Allowance.objects.get(person=rhea).pk})
    assert list(Allowance.objects.values_list("person", "max_cost_usd")) == [(None, 10)]
    details = AuditEntry.objects.filter(action=Action.LIMIT_SET).order_by("pk").values_list("detail", flat=True)
    assert list(details) == ["everybody in lab: $10", "rhea in lab: $2.5", "rhea in lab: $3", "rhea in lab: none"]


@pytest.mark.parametrize("role", [Role.RESEARCHER, Role.ADJUDICATOR])
def test_people_see_their_own_and_raise_none(client, lab, rhea, role):
    otto = make_person("otto", lab, role)
    set_allowance(lab, None, Decimal(10))
    set_allowance(lab, rhea, Decimal(77))
    set_allowance(lab, otto, Decimal(4))
    log_in(client, otto)
    assert client.post(reverse("allowance", args=[lab.pk]), {"person": otto.pk, "limit": "99"}).status_code == 403
    page = client.get(reverse("endpoints", args=[lab.pk])).content.decode()
    assert "Everybody" in page
    assert "$4" in page
    assert "$77" not in page
    assert "Set the limit" not in page


@pytest.mark.parametrize("name", ["run-new", "generation-new", "prompt-writings", "facts"])
def test_pages_that_start_work_say_what_is_left(client, lab, name):
    otto = make_person("otto", lab, Role.ADJUDICATOR)
    lab.collected_prompts.create(position=0, text="Is it?", origin="file")
    log_in(client, otto)
    address = reverse(name, args=[lab.pk]) + ("?method=felm-segment" if name == "run-new" else "")
    assert "Left for calls" not in client.get(address).content.decode()
    set_allowance(lab, None, Decimal(10))
    set_allowance(lab, otto, Decimal(4))
    page = client.get(address).content.decode()
    assert "Left for calls" in page
    assert "for everybody" in page
    assert "for you" in page
