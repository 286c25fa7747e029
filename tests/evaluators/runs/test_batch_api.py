"""Runs whose questions go in files to a Batch API."""

from decimal import Decimal

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotate.models import Prompt, Role, Scheme
from evaluators.models import Run
from evaluators.runs.batch_api import in_words
from evaluators.runs.batches import create_batch
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate
from evaluators.runs.progress import progress_of
from evaluators.runs.run_job import RunJob
from jobs.enqueue import sweep
from jobs.limits import Limits
from jobs.work import work_on
from llm.batch_api import collect
from llm.batch_api.request_batch_job import RequestBatchJob
from llm.endpoints import default_endpoint
from llm.errors import BudgetSpentError
from llm.models import Adaptation, BatchedRequest, Call, Price, RequestBatch
from tests.evaluators.runs.test_dialects import GPT_5, JUDGED
from tests.evaluators.runs.test_work import values, worked
from tests.factories import make_dataset, make_person, make_response


def begin(dataset, method="felm-segment", **options) -> Run:
    return create_run(dataset, method, model="m", batch_api=True, **options).run


def step(run: Run) -> Run:
    """The run's own work, then that of its batches, all as if the pause before it were over."""
    Run.objects.get(pk=run.pk).items.update(not_before=None)
    worked(run)
    RunJob().plan()  # as with every heartbeat
    for batch in RequestBatch.objects.unsettled():
        RequestBatch.objects.filter(pk=batch.pk).update(not_before=None)
        work_on(RequestBatchJob(), batch.pk)
    run.refresh_from_db()
    return run


def to_the_end(run: Run, rounds: int = 10) -> Run:
    for _ in range(rounds):
        if not step(run).is_active:
            break
    return run


def test_a_run_is_answered_by_one_batch(lab, model):
    run = to_the_end(begin(lab))

    assert (run.state, run.error, values(run)) == ("finished", "", JUDGED)
    assert model.stats()["total"] == 0  # not a call
    [batch] = model.stats()["batches"]
    assert batch["request_counts"] == {"total": 2, "completed": 2, "failed": 0}
    assert run.manifest["batch_api"]["batches"] == [{"endpoint": model.base_url, "id": batch["id"], "requests": 2}]
    assert not BatchedRequest.objects.exists()


def test_a_method_of_two_stages_takes_two_batches(lab, model):
    Prompt.objects.update(domain="wk")  # claims are extracted of what no calculation is
    run = to_the_end(begin(lab, "felm-claim"))

    assert (run.state, run.error) == ("finished", "")
    assert len(model.stats()["batches"]) == 2
    assert model.stats()["total"] == 0
    called = create_run(lab, "felm-claim", model="m", force=True).run
    assert values(worked(called)) == values(run)
    assert model.stats()["total"] == 0  # the cache is the same


def test_generated_facts_and_their_verdicts_come_in_batches(db, model):
    dataset = make_dataset(scheme=Scheme.FACTSCORE)
    make_response(dataset, ["Ada wrote and Ada flew.", "It was wrong and she left."])
    run = to_the_end(begin(dataset, "factscore-no-context", parameters={"facts": "generated"}))

    assert (run.state, run.error) == ("finished", "")
    assert sorted(run.predictions.values_list("fact__text", "value")) == [
        ("Ada flew.", "supported"),
        ("Ada wrote.", "supported"),
        ("It was wrong.", "not_supported"),
        ("she left.", "supported"),
    ]
    # All sentences go in one file, and all facts in another.
    assert [batch["request_counts"]["total"] for batch in model.stats()["batches"]] == [2, 4]


def test_the_form_begins_such_a_run_and_its_page_says_what_it_waits_for(lab, model, client):
    client.force_login(make_person("rhea", lab, Role.RESEARCHER))
    client.post(reverse("run-new", args=[lab.pk]), {"method": "felm-segment", "model": "m", "batch_api": "on"})
    run = Run.objects.get()
    model.control(batches="running")
    step(run)
    page = client.get(reverse("run", args=[run.pk])).text
    assert in_words(run) in page
    assert "batch_api=on" in page  # of a copy with changes

    assert client.post(
        reverse("run-new", args=[lab.pk]),
        {"method": "felm-segment", "model": "m", "batch_api": "on", "trial": "3", "force": "on"},
    )
    assert "batch_api" not in Run.objects.latest("pk").manifest  # the trial asks at once


def test_the_command_waits_for_the_batch(lab, model, capsys):
    call_command("evaluate", lab.name, "felm-segment", "--model", "m", "--batch-api", "--wait", "--json")
    assert '"state": "finished"' in capsys.readouterr().out
    assert (model.stats()["total"], len(model.stats()["batches"])) == (0, 1)


def test_the_estimate_is_half(lab, model):
    Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd=100, completion_usd=100)
    whole, half = (estimate(lab, "felm-segment", model="m", limit=None, batch_api=each) for each in (False, True))
    assert (half.cost_usd, half.likely_usd) == (whole.cost_usd / 2, whole.likely_usd / 2)


def test_the_run_waits_in_words_until_the_batch_is_done(lab, model):
    model.control(batches="running")
    run = step(begin(lab))
    assert run.state == "running"
    assert in_words(run).startswith("2 requests in a batch at the server since")
    assert in_words(run).endswith("UTC, 0 done.")
    assert {state for (state,) in run.items.values_list("state")} == {"waiting"}

    model.control(batches="completed")
    assert to_the_end(run).state == "finished"
    assert in_words(run) == ""
    assert len(model.stats()["batches"]) == 1


def test_answers_of_a_usual_run_are_not_asked_for_again(lab, model):
    worked(create_run(lab, "felm-segment", model="m").run)
    run = to_the_end(begin(lab, force=True))
    assert (run.state, model.stats()["batches"]) == ("finished", [])


def test_a_line_that_is_refused_is_a_call_that_failed(lab, model):
    make_response(lab, ["This is broken."])
    run = to_the_end(begin(lab))
    assert (run.state, values(run)) == ("finished", JUDGED)
    [failed] = run.items.failed()
    assert "answered 500 in a batch: The server had an error" in failed.error
    # It was sent three times; the others once.
    assert [batch["request_counts"]["total"] for batch in model.stats()["batches"]] == [3, 1, 1]
    assert run.resume()
    to_the_end(run)
    assert len(model.stats()["batches"]) == 6  # it is tried again


def test_what_a_batch_did_not_get_to_is_sent_again(lab, model):
    model.control(batches="expired")
    run = step(begin(lab))
    assert (run.state, Call.objects.count()) == ("running", 1)

    model.control(batches="completed")
    assert (to_the_end(run).state, values(run)) == ("finished", JUDGED)
    assert [batch["request_counts"]["total"] for batch in model.stats()["batches"]] == [2, 1]


def test_a_worker_lost_after_it_submitted_pays_once(lab, model, monkeypatch):
    monkeypatch.setattr(collect, "MOST_LINES", 1)
    for n in range(4):
        make_response(lab, [f"{n} is odd."])
    model.control(batches="running")
    run = step(begin(lab))
    batch = RequestBatch.objects.earliest("pk")  # the server lists it last, on its third page
    # As if it had been killed before it could store the batch's name.
    RequestBatch.objects.filter(pk=batch.pk).update(
        server_id="", status="", state="leased", lease_owner="dead", lease_until="2020-01-01T00:00Z", attempts=1
    )
    model.control(batches="completed")
    sweep(RequestBatchJob())
    assert (to_the_end(run).state, progress_of(run).predicted) == ("finished", 10)
    assert len(model.stats()["batches"]) == 6
    batch.refresh_from_db()
    assert (batch.state, batch.server_id) == ("done", "batch-0")


def test_a_worker_lost_while_it_read_stores_the_rest(lab, model):
    model.control(batches="running")
    run = step(begin(lab))
    batch = RequestBatch.objects.get()
    worked(create_run(lab, "felm-segment", model="m", force=True, limit=1).run)  # an answer that is there already
    batch.lines.filter(request_hash=Call.objects.get().request_hash).update(state="answered")
    model.control(batches="completed")
    assert (to_the_end(run).state, values(run)) == ("finished", JUDGED)
    assert Call.objects.count() == 2


def test_with_the_run_its_batch_is_cancelled_and_what_is_done_is_kept(lab, model):
    for n in range(6):
        make_response(lab, [f"{n} is odd."])
    model.control(batches="running")
    run = step(begin(lab))
    assert run.stop()
    step(run)
    [batch] = model.stats()["batches"]
    assert batch["status"] == "cancelled"
    assert Call.objects.count() == 2  # a quarter of eight
    assert (run.state, RequestBatch.objects.get().state) == ("cancelled", "done")

    model.control(batches="completed")
    assert run.resume()
    assert to_the_end(run).state == "finished"
    assert [batch["request_counts"]["total"] for batch in model.stats()["batches"]] == [8, 6]


def test_a_batch_that_ended_before_it_was_cancelled_is_read(lab, model):
    model.control(batches="running")
    run = step(begin(lab))
    model.control(batches="completed")
    model.look_at_batches()
    assert run.stop()
    step(run)
    assert (RequestBatch.objects.get().status, Call.objects.count()) == ("completed", 2)


@pytest.mark.django_db(transaction=True)
def test_a_batch_is_cancelled_as_soon_as_its_run_is(lab, model):
    model.control(batches="running")
    run = step(begin(lab))
    assert run.stop()
    assert RequestBatch.objects.get().cancelled_at is not None


def test_a_run_that_is_out_of_budget_keeps_its_batch(lab, model):
    model.control(batches="running")
    run = step(begin(lab))
    run.stop_with(BudgetSpentError("The budget is spent."))
    model.control(batches="completed")
    step(run)
    assert (RequestBatch.objects.get().cancelled_at, Call.objects.count()) == (None, 2)


def test_a_batch_that_was_not_submitted_is_dropped_with_its_run(lab, model):
    run = worked(begin(lab))
    assert run.stop()
    step(run)
    assert (RequestBatch.objects.get().state, model.stats()["batches"]) == ("done", [])
    assert not BatchedRequest.objects.exists()


def test_an_endpoint_without_a_batch_api_is_said_and_nothing_is_lost(lab, model):
    model.control(batches="none")
    run = to_the_end(begin(lab))
    assert run.state == "failed"
    assert run.error == (
        f"The server at {model.base_url} has no Batch API: it answered 404 at /files. Start the run without it: what "
        "is answered is kept."
    )
    assert set(run.items.values_list("state")) == {("waiting",)}

    model.control(batches="completed")  # it has one after all
    assert run.resume()
    assert (to_the_end(run).state, values(run)) == ("finished", JUDGED)


def test_a_file_that_is_not_taken_fails_the_run_with_the_reason(lab, model):
    model.control(batches="failed")
    run = to_the_end(begin(lab))
    assert (run.state, "not parseable as valid JSON" in run.error) == ("failed", True)


def test_a_server_that_holds_too_many_requests_is_asked_later(lab, model):
    model.control(batches="full")
    run = step(begin(lab))
    assert run.state == "running"
    model.control(batches="completed")
    assert (to_the_end(run).state, values(run)) == ("finished", JUDGED)
    assert [batch["status"] for batch in model.stats()["batches"]] == ["failed", "completed"]


def test_results_that_the_server_does_not_name_yet_are_waited_for(lab, model):
    model.control(batches="unnamed")
    run = step(begin(lab))
    assert (run.state, len(model.stats()["batches"])) == ("running", 1)
    model.control(batches="completed")
    assert (to_the_end(run).state, len(model.stats()["batches"])) == ("finished", 1)


def test_a_server_that_is_away_for_a_while_is_looked_at_again(lab, model):
    model.control(batches="running")
    run = step(begin(lab))
    model.control(batches="away")
    for _ in range(5):
        assert step(run).state == "running"
    model.control(batches="completed")
    assert to_the_end(run).state == "finished"


@pytest.mark.parametrize("refused", [GPT_5, ["window as vLLM says it"]], ids=["of every request", "of one"])
def test_what_is_refused_in_a_batch_is_sent_as_the_model_takes_it(lab, model, refused):
    model.control(dialects=refused)
    run = to_the_end(begin(lab, parameters={"max_tokens": "1000"}))
    assert (run.state, values(run)) == ("finished", JUDGED)
    assert run.manifest["adapted"]["m"]
    assert Adaptation.objects.exists()  # so that no later call is refused for it


@pytest.mark.parametrize("dialect", ["filter of a router", "filter of Azure", "refusal of the model"])
def test_a_line_that_a_filter_refuses_is_a_refused_unit(lab, model, dialect):
    make_response(lab, ["This is forbidden."])
    model.control(dialects=[dialect])
    run = to_the_end(begin(lab))
    assert (run.state, progress_of(run).refused) == ("finished", 1)


def test_a_wrong_key_fails_the_run_and_is_not_repeated(lab, model, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "Incorrect")  # as if the server repeated it
    model.control(dialects=["wrong key"])
    run = to_the_end(begin(lab))
    assert run.state == "failed"
    assert "answered 401 in a batch: *** API key provided" in run.error

    model.control(dialects=[])  # another key
    assert run.resume()
    assert to_the_end(run).state == "finished"


@pytest.mark.parametrize("form", ["thought without an opening tag", "content in parts", "usage null", "plain text"])
def test_answers_are_read_in_every_form(lab, model, form):
    model.control(dialects=[form])
    run = to_the_end(begin(lab))
    assert (run.state, values(run)) == ("finished", JUDGED)


def test_a_batch_api_of_other_words_is_understood(lab, model):
    model.control(batches="otherwise")
    run = to_the_end(begin(lab))
    assert (run.state, run.error, values(run)) == ("finished", "", JUDGED)


def test_each_model_of_a_run_has_files_of_its_own(lab, model):
    run = to_the_end(begin(lab, "panel", parameters={"other_models": "n, o"}))
    assert run.state == "finished"
    assert {batch.model for batch in RequestBatch.objects.all()} == {"m", "n"}  # these agree, and o is not asked


def test_answers_cost_half(lab, model):
    Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd=100, completion_usd=100)
    run = to_the_end(begin(lab, limits=Limits(None, Decimal(5))))
    call = Call.objects.first()
    assert call.cost_usd == Decimal(call.prompt_tokens + call.completion_tokens) / 20_000
    assert run.manifest["batch_api"]["discount"] == {model.base_url: 50}
    assert run.spent_usd == sum(Call.objects.values_list("cost_usd", flat=True))
    assert run.spent_tokens == sum(call.prompt_tokens + call.completion_tokens for call in Call.objects.all())


def test_as_much_is_sent_as_the_budget_holds(lab, model):
    for n in range(6):
        make_response(lab, [f"{n} is odd."])
    run = to_the_end(begin(lab, limits=Limits(3000, None)))
    assert run.state == "finished"
    # An answer has up to 1,024 tokens, so that two fit; they took less, and there was room for others.
    sent = [batch["request_counts"]["total"] for batch in model.stats()["batches"]]
    assert (sent[0], sum(sent), run.spent_tokens < 3000) == (2, 8, True)


def test_what_does_not_fit_into_the_budget_is_not_sent(lab, model):
    run = to_the_end(begin(lab, limits=Limits(1000, None)))
    assert (run.state, run.spent_tokens, model.stats()["batches"]) == ("out_of_budget", 0, [])
    assert run.resume(Limits(100_000, None))
    assert to_the_end(run).state == "finished"


def test_a_large_run_goes_in_several_files(lab, model, monkeypatch):
    monkeypatch.setattr(collect, "MOST_LINES", 3)
    for n in range(6):
        make_response(lab, [f"{n} is odd."])
    run = to_the_end(begin(lab))
    assert run.state == "finished"
    assert [batch["request_counts"]["total"] for batch in model.stats()["batches"]] == [3, 3, 2]


def test_more_requests_than_a_worker_holds_go_in_several_files(lab, model, monkeypatch):
    monkeypatch.setattr(collect, "MOST_COLLECTED", 3000)  # a request has some 800 characters
    for n in range(6):
        make_response(lab, [f"{n} is odd."])
    model.control(batches="running")
    run = begin(lab)
    for _ in range(4):
        worked(run)  # woken by itself
    for batch in RequestBatch.objects.unsettled():
        assert batch.requests < 8
    assert sum(RequestBatch.objects.values_list("requests", flat=True)) == 8
    model.control(batches="completed")
    assert to_the_end(run).state == "finished"


def test_a_run_that_waits_for_its_batch_is_not_called_stuck(lab, model):
    model.control(batches="running")
    run = step(begin(lab))
    Run.objects.update(created_at="2020-01-01T00:00Z", enqueued_at=None)
    run.refresh_from_db()
    assert not progress_of(run).not_picked_up
    run.items.update(not_before=None)
    assert progress_of(run).not_picked_up


def test_of_several_runs_those_with_a_model_go_that_way(lab, model):
    runs = create_batch(lab, ["felm-segment", "lexical"], ["m"], batch_api=True).begun
    assert [(run.evaluator.method, "batch_api" in run.manifest) for run in runs] == [
        ("felm-segment", True),
        ("lexical", False),
    ]


def test_a_method_without_a_model_has_none(lab):
    with pytest.raises(RunError, match="calls no model"):
        create_run(lab, "always-supported", batch_api=True)
