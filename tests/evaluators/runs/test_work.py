"""Working on a run in this process, with a real model server where a model is asked."""

from evaluators.methods.base import Judgement
from evaluators.runs.create import create_run
from evaluators.runs.progress import progress_of
from evaluators.runs.run_job import RunJob
from jobs.work import work_on, work_to_the_end
from llm.endpoints import default_endpoint
from llm.models import Call, Price
from llm.retries import RetryPolicy
from tests.evaluators.runs.test_leases import lease
from tests.factories import make_response

# Gives up soon, so that a test of an endpoint that is down need not wait.
HASTY = RetryPolicy(attempts=2, first_wait=0.01, longest_wait=0.01)


def supported(case):
    return [Judgement(unit, "supported") for unit in case.units]


def values(run):
    order = ("segment__response__position", "segment__position")
    return list(run.predictions.order_by(*order).values_list("value", flat=True))


def worked(run):
    work_on(RunJob(HASTY), run.pk)
    run.refresh_from_db()
    return run


def test_a_run_ends_with_a_prediction_for_every_unit(run):
    worked(run)
    assert run.state == "finished"
    assert values(run) == ["supported"] * 6
    assert run.started_at <= run.last_prediction_at <= run.finished_at


def test_a_finished_run_is_not_worked_on_again(run):
    work_on(RunJob(), run.pk)
    before = list(run.predictions.values_list("pk", flat=True))
    work_on(RunJob(), run.pk)
    assert list(run.predictions.values_list("pk", flat=True)) == before


def test_more_responses_than_are_leased_at_once_are_all_judged(lab):
    for _ in range(250):
        make_response(lab)
    run = worked(create_run(lab, "always-supported").run)
    assert (run.state, run.predictions.count()) == ("finished", 506)


def test_a_mistake_of_the_method_belongs_to_its_item(lab, add_method):
    async def judge(case, ask):
        if case.index == "1":
            raise KeyError("fact")
        return supported(case)

    run = worked(create_run(lab, add_method(judge)).run)
    assert run.state == "finished"
    assert list(run.items.values_list("state", "attempts", "error")) == [
        ("done", 1, ""),
        ("failed", 3, "The method tried failed with KeyError: 'fact'."),
        ("done", 1, ""),
    ]
    assert run.predictions.count() == 4


def test_a_run_of_which_nothing_could_be_done_has_failed(lab, add_method):
    async def judge(case, ask):
        raise ValueError("no idea")

    run = worked(create_run(lab, add_method(judge)).run)
    assert (run.state, run.error) == (
        "failed",
        "No response could be judged: The method tried failed with ValueError: no idea.",
    )


def test_a_passing_mistake_leaves_no_trace(lab, add_method):
    seen = set()

    async def judge(case, ask):
        if case.index not in seen:
            seen.add(case.index)
            raise ValueError("not yet")
        return supported(case)

    run = worked(create_run(lab, add_method(judge)).run)
    assert run.state == "finished"
    assert list(run.items.values_list("state", "attempts", "error")) == [("done", 2, "")] * 3


def test_a_cancelled_run_is_not_worked_on(run):
    assert run.stop()
    worked(run)
    assert (run.state, run.predictions.count()) == ("cancelled", 0)
    assert not run.stop()


def test_a_model_judges(lab, model):
    run = worked(create_run(lab, "felm-segment", model="m").run)
    assert values(run) == ["supported", "supported", "not_supported", "supported", "supported", "supported"]
    # The first and the third response are the same, so they are one request.
    assert model.stats()["total"] == Call.objects.count() == 2


def test_the_same_questions_are_not_paid_for_twice(lab, model):
    work_on(RunJob(), create_run(lab, "felm-segment", model="m").run.pk)
    again = worked(create_run(lab, "felm-segment", model="m", force=True).run)
    assert again.predictions.count() == 6
    assert model.stats()["total"] == 2


def test_a_storm_of_errors_is_lived_through(lab, model):
    for n in range(20):
        make_response(lab, [f"{n} is odd.", "Is it?"])
    model.control(fail_first_of_each=1, fail_status=429, retry_after="0")
    run = worked(create_run(lab, "felm-segment", model="m").run)
    assert (run.state, run.predictions.count()) == ("finished", 46)


def test_a_key_that_is_refused_fails_the_run_at_once(lab, model):
    model.control(fail_first=1000, fail_status=401, fail_text="bad key")
    run = worked(create_run(lab, "felm-segment", model="m").run)
    assert run.state == "failed"
    assert "answered 401" in run.error
    assert list(run.items.values_list("state", "attempts")) == [("waiting", 0)] * 3
    assert model.stats()["total"] <= 3


def test_an_endpoint_that_is_down_fails_the_run_and_spares_its_items(lab, model):
    model.control(fail_first=1000, fail_status=503)
    run = worked(create_run(lab, "felm-segment", model="m").run)
    assert run.state == "failed"
    assert "answered 503" in run.error
    assert not run.items.filter(state="failed").exists()


def test_a_failed_run_is_taken_up_where_it_stopped(lab, model):
    model.control(fail_first=1000, fail_status=503)
    run = worked(create_run(lab, "felm-segment", model="m").run)
    model.reset()
    assert run.resume()
    worked(run)
    assert (run.state, run.error, run.predictions.count()) == ("finished", "", 6)


def test_a_request_that_is_refused_fails_its_item_only(lab, model):
    model.control(fail_every=2, fail_status=400, fail_text="not this one")
    run = worked(create_run(lab, "felm-segment", model="m", parameters={"in_flight": "1"}).run)
    assert run.state == "finished"
    failed = run.items.get(state="failed")
    assert failed.attempts == 1
    assert "not this one" in failed.error


def test_a_price_is_kept_with_each_call(lab, model):
    run = create_run(lab, "felm-segment", model="m").run
    Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd=1, completion_usd=2)
    work_on(RunJob(), run.pk)
    assert all(call.cost_usd > 0 for call in Call.objects.all())


def test_work_to_the_end_takes_over_from_the_dead(run, settings):
    settings.HEARTBEAT_SECONDS, settings.RUN_LEASE_SECONDS = 0.1, 0.5
    lease(run, "dead", 2)
    work_to_the_end(RunJob(), run.pk)
    run.refresh_from_db()
    assert (run.state, run.predictions.count()) == ("finished", 6)


def test_a_run_whose_prompt_was_changed_since_does_not_go_on(lab, model, settings, tmp_path):
    (tmp_path / "mine").mkdir()
    template = tmp_path / "mine" / "felm_segment.txt"
    template.write_text("== user\n$question $segments")
    settings.PROMPTS_DIR = tmp_path
    run = create_run(lab, "felm-segment", model="m", parameters={"prompts": "mine"}).run
    template.write_text("== user\n$segments")

    assert worked(run).state == "failed"
    assert "felm_segment of the set mine has changed" in run.error
    assert model.stats()["total"] == 0


def test_a_run_that_asks_anew_pays_once_more_and_keeps_its_own_answers(lab, model):
    work_on(RunJob(), create_run(lab, "felm-segment", model="m").run.pk)
    assert model.stats()["total"] == 2
    anew = create_run(lab, "felm-segment", model="m", anew=True).run
    assert (worked(anew).state, anew.asking, model.stats()["total"]) == ("finished", 1, 4)
    again = create_run(lab, "felm-segment", model="m", anew=True).run
    assert (worked(again).state, again.asking, model.stats()["total"]) == ("finished", 2, 6)


def test_units_judged_by_another_method_are_counted_by_reason(lab, add_method):
    async def judge(case, tools):
        why = "math" if case.index == "1" else ""
        return [Judgement(unit, "supported", fallback=why) for unit in case.units]

    run = worked(create_run(lab, add_method(judge)).run)
    assert progress_of(run).fallbacks == {"math": 2}
    assert run.manifest["outcome"] == {
        "predicted": 6,
        "unparsed": 0,
        "refused": 0,
        "cut_off": 0,
        "failed": 0,
        "skipped": {},
        "fallbacks": {"math": 2},
        "all_failed": [],
    }
