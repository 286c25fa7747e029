"""The answers that a run was given for each response are noted with it, whatever came of them."""

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.prompts.asking import UnreadableError
from evaluators.methods import METHODS
from evaluators.methods.base import Judgement, Method, Skip
from evaluators.models import Run
from evaluators.predictions.prices import describe_spending, prices_of
from evaluators.run_page.calls import calls_of
from evaluators.runs.create import create_run
from evaluators.runs.item_calls import note_calls
from evaluators.runs.listing import Spent, spent_by
from evaluators.runs.manage import delete_run
from evaluators.runs.progress import progress_of
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.models import Call
from llm.prune import answers_to_prune
from tests.evaluators.runs.test_pages import client_of, read
from tests.factories import make_dataset, make_response
from tests.pages import squeezed


def ask(case, tools, word="Judge"):
    return tools.ask([{"role": "user", "content": f"{word} {case.index}: {case.response}"}])


async def judge_some(case, tools):
    """Judges the first response, cannot read the answer about the second, leaves out the third; a second answer about
    each comes to nothing."""
    answer = await ask(case, tools)
    await ask(case, tools, "Check")
    if case.index == "1":
        raise UnreadableError("the answer names no verdict")
    if case.index == "2":
        return [Skip(unit, "no page") for unit in case.units]
    return [Judgement(unit, "supported", calls=(answer.call_id,)) for unit in case.units]


@pytest.fixture
def asking(monkeypatch):
    """Registers a judge as a method that asks a model; its name."""

    def add(judge):
        method = Method(
            name="asks", title="Asks", description="Asks.", build=lambda parameters: judge, needs_model=True, calls=None
        )
        monkeypatch.setitem(METHODS, "asks", method)
        return "asks"

    return add


def worked(run):
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    return run


@pytest.fixture
def run(lab, model, asking):
    return worked(create_run(lab, asking(judge_some), model="m").run)


def prompts(item):
    """The beginnings of the prompts whose answers are noted with it, in alphabetical order."""
    return sorted(call.request["messages"][0]["content"].partition(":")[0] for call in item.calls.all())


def test_judged_failed_and_skipped_responses_have_their_calls(run):
    items = list(run.items.order_by("position"))
    assert [item.state for item in items] == ["done", "failed", "done"]
    assert [prompts(item) for item in items] == [[f"Check {index}", f"Judge {index}"] for index in range(3)]
    assert run.predictions.count() == 2


def test_each_call_is_one_click_away_from_the_run(lab, run):
    rhea = client_of(lab, "researcher")
    page = squeezed(read(rhea, "run", run.pk))
    assert page.count("Calls (2)") == 3
    for item in run.items.all():
        for call in item.calls.all():
            address = reverse("run-call", args=[run.pk, call.pk])
            assert f'href="{address}"' in page
            of_call = rhea.get(address).content.decode()
            assert call.request["messages"][0]["content"].partition(":")[0] in of_call
            assert call.answer in of_call
    assert "the answer names no verdict" in read(rhea, "run", run.pk, "?show=failed").lower()
    assert squeezed(read(rhea, "run", run.pk, "?show=failed")).count("Calls (2)") == 1


def test_the_page_of_a_call_says_for_which_response_and_whether_it_was_cached(lab, run):
    rhea = client_of(lab, "researcher")
    call = run.items.get(position=1).calls.first()
    address = reverse("run-call", args=[run.pk, call.pk])
    page = squeezed(rhea.get(address).content.decode())
    assert "(failed: The answer names no verdict)" in page
    assert "No prediction cites this answer." in page
    assert "From the cache</dt><dd>no</dd>" in page
    Call.objects.filter(pk=call.pk).update(created_at=run.started_at - timedelta(days=1))
    assert "From the cache</dt><dd>yes</dd>" in squeezed(rhea.get(address).content.decode())


def test_calls_of_other_runs_and_for_others_are_not_shown(lab, run):
    other = create_run(lab, "always-supported").run
    call = run.items.get(position=1).calls.first()
    assert client_of(lab, "researcher").get(reverse("run-call", args=[other.pk, call.pk])).status_code == 404
    stranger = client_of(make_dataset("elsewhere"), "adjudicator")
    assert stranger.get(reverse("run-call", args=[run.pk, call.pk])).status_code == 404


def test_a_response_that_is_tried_again_keeps_its_calls_once(run):
    before = {item.pk: prompts(item) for item in run.items.all()}
    assert run.resume()
    worked(run)
    assert {item.pk: prompts(item) for item in run.items.all()} == before


class OpenRunJob(RunJob):
    """Keeps the context in which it works, so that a judge can change the run."""

    @asynccontextmanager
    async def open(self, subject, context):
        self.context = context
        async with super().open(subject, context) as resource:
            yield resource


def test_a_case_that_is_cancelled_has_the_answers_that_had_come(lab, model, asking):
    async def judge(case, tools):
        await ask(case, tools)
        await kind.context.in_database_thread(run.stop)
        await asyncio.Event().wait()

    run, kind = create_run(lab, asking(judge), model="m", limit=1).run, OpenRunJob()
    work_on(kind, run.pk)
    item = run.items.get()
    assert (item.state, prompts(item)) == ("waiting", ["Judge 0"])


def test_what_was_deleted_meanwhile_is_passed_over(run):
    item, other = run.items.order_by("position")[:2]
    gone = max(Call.objects.values_list("pk", flat=True)) + 1
    call = other.calls.first()
    note_calls(item.pk, (gone, call.pk))
    assert item.calls.filter(pk=call.pk).exists()
    assert item.calls.count() == 3
    delete_run(run)
    note_calls(item.pk, (call.pk,))
    assert not call.run_items.exists()


def test_the_calls_of_a_run_before_items_had_some_are_those_of_its_predictions(run):
    judged = run.predictions.first()
    for item in run.items.all():
        item.calls.clear()
    response = judged.segment.response_id
    responses = list(run.items.values_list("response", flat=True))
    assert calls_of(run, responses) == {response: list(judged.calls.all())}


def test_tokens_and_price_count_every_call_once_whatever_came_of_it(run):
    Call.objects.update(prompt_tokens=10, completion_tokens=5, cost_usd="0.25")
    judged, failed, _ = run.items.order_by("position")
    failed.calls.add(judged.calls.first())
    # Two calls for each of a judged, a failed and a skipped response; one of the six is linked with two of them:
    # 6 · (10 + 5) = 90 tokens, 6 · 0.25 = 1.5 dollars. Predictions cite one call alone.
    assert spent_by([run])[run.pk] == Spent(90, 1.5)
    now = progress_of(run)
    assert (now.tokens, now.cost_usd, now.paid, now.cached) == (90, 1.5, 6, 0)
    assert prices_of([run])[run.pk].cost_usd == 1.5
    assert describe_spending([run])[run.pk]["tokens"] == 90


def test_the_price_is_unknown_where_that_of_a_failed_response_is(run):
    Call.objects.update(cost_usd="0.25")
    run.items.failed()[0].calls.update(cost_usd=None)
    assert (spent_by([run])[run.pk].cost_usd, progress_of(run).cost_usd) == (None, None)


def test_a_part_of_unknown_price_hides_no_known_one(run):
    Call.objects.update(cost_usd="0.25")
    run.items.failed()[0].calls.update(cost_usd=None, known_usd="0.01", unpriced="cached prompts")
    # 4 · 0.25 + 2 · 0.01
    for spent in (spent_by([run])[run.pk], progress_of(run), prices_of([run])[run.pk]):
        assert (spent.cost_usd, spent.known_usd, spent.unpriced) == (None, 1.02, ("cached prompts",))
    report = describe_spending([run])[run.pk]
    assert (report["cost_usd"], report["known_usd"], report["unpriced"]) == (None, 1.02, ["cached prompts"])


def test_a_run_that_ends_once_more_is_priced_again(run):
    Call.objects.update(cost_usd="0.25")
    assert prices_of([run])[run.pk].cost_usd == 1.5
    run.items.failed()[0].calls.update(cost_usd="0.5")
    Run.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    # Two of the six calls cost twice as much: 4 · 0.25 + 2 · 0.5.
    assert prices_of([Run.objects.get()])[run.pk].cost_usd == 2.0


def test_answers_stay_while_the_run_does(run):
    tomorrow = timezone.now() + timedelta(days=1)
    assert not answers_to_prune(tomorrow, None).exists()
    delete_run(run)
    assert answers_to_prune(tomorrow, None).count() == 6


def test_calls_that_generate_facts_belong_to_the_response(db, model):
    bios = make_dataset(scheme="factscore")
    make_response(bios, ["She wrote.", "She drew."], prompt="Ada", subject="m")
    parameters = {"facts": "generated", "demonstrations": "0"}
    run = worked(create_run(bios, "factscore-no-context", model="m", parameters=parameters).run)
    # Two sentences are broken into facts, and two facts are judged.
    assert run.items.get().calls.count() == 4
    assert run.predictions.filter(calls__isnull=False).values("calls").distinct().count() == 2
