"""How far a run is, what it cost, and what its manifest says of it."""

from datetime import timedelta

from django.utils import timezone

from annotate.models import Prompt
from evaluators.methods.base import Judgement, Skip
from evaluators.models import Run
from evaluators.runs import manifest
from evaluators.runs.create import create_run
from evaluators.runs.progress import progress_of
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.models import Price
from tests.evaluators.runs.test_leases import lease
from tests.factories import add_gold


def test_a_queued_run_has_everything_before_it(run):
    now = progress_of(run)
    assert (now.total, now.unsettled, now.leased, now.done, now.failed) == (3, 3, 0, 0, 0)
    assert (now.predicted, now.unparsed, now.share) == (0, 0, 0.0)
    assert now.seconds is now.rate is now.left is None


def test_rate_and_rest_follow_from_what_is_done(run):
    start = timezone.now()
    lease(run, "ada", 1)
    run.items.filter(position=0).update(state="done", lease_owner="", lease_until=None)
    run.state, run.started_at, run.last_prediction_at = "running", start, start + timedelta(seconds=4)
    run.taken_up_at = start
    now = progress_of(run)
    # 1 of 3 items in 4 s: 0.25 a second, 15 a minute, and 2 / 0.25 = 8 s for the rest.
    assert (now.seconds, now.rate, now.a_minute, now.left) == (4.0, 0.25, 15.0, 8.0)
    assert now.share == 1 / 3


def test_a_pause_does_not_slow_the_rate(run):
    start = timezone.now()
    run.items.exclude(position=2).update(state="done")
    run.state, run.started_at, run.settled_before = "running", start - timedelta(hours=1), 1
    run.taken_up_at, run.last_prediction_at = start, start + timedelta(seconds=5)
    now = progress_of(run)
    # One was settled an hour ago; of the two left one took 5 s.
    assert (now.rate, now.left) == (0.2, 5.0)


def test_skipped_units_are_counted_by_reason(lab, add_method):
    async def judge(case, ask):
        return [Judgement(case.units[0], "supported"), Skip(case.units[1], "no reference")]

    run = create_run(lab, add_method(judge)).run
    work_on(RunJob(), run.pk)
    now = progress_of(run)
    assert (now.predicted, now.skipped) == (3, {"no reference": 3})


def test_a_domain_in_which_every_response_failed_is_named(lab, add_method):
    async def judge(case, ask):
        if case.domain == "math":
            raise ValueError("no figures")
        return [Judgement(unit, "supported") for unit in case.units]

    for position, domain in enumerate(["math", "wk", "math"]):
        Prompt.objects.filter(responses__dataset=lab, responses__position=position).update(domain=domain)
    run = create_run(lab, add_method(judge)).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert (run.state, progress_of(run).all_failed) == ("finished", ("math",))
    assert run.manifest["outcome"]["all_failed"] == ["math"]


def test_what_was_paid_is_told_from_what_was_there(lab, model):
    first = create_run(lab, "felm-segment", model="m").run
    Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd=1_000, completion_usd=0)
    work_on(RunJob(), first.pk)
    first.refresh_from_db()
    now = progress_of(first)
    assert (now.paid, now.cached) == (2, 0)
    assert now.tokens > now.cost_usd > 0
    second = create_run(lab, "felm-segment", model="m", force=True).run
    work_on(RunJob(), second.pk)
    second.refresh_from_db()
    again = progress_of(second)
    assert (again.paid, again.cached) == (0, 2)
    assert (again.tokens, again.cost_usd) == (now.tokens, now.cost_usd)


def test_a_cost_that_is_not_known_is_not_nothing(lab, model):
    run = create_run(lab, "felm-segment", model="m").run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert progress_of(run).cost_usd is None


def test_a_run_without_a_model_costs_nothing(run):
    work_on(RunJob(), run.pk)
    assert (progress_of(run).tokens, progress_of(run).cost_usd) == (0, 0.0)


def test_the_manifest_says_what_is_needed_to_repeat_the_run(lab, model):
    add_gold(lab.responses.first().segments.first(), "supported")
    lab.refresh_from_db()
    manifest = create_run(lab, "felm-segment", model="m", parameters={"in_flight": "2"}).run.manifest
    assert (manifest["method"], manifest["model"], manifest["endpoint"]) == ("felm-segment", "m", model.base_url)
    assert manifest["parameters"]["in_flight"] == 2
    assert manifest["profile"] == "repaired"
    assert manifest["prompts"]["set"] == "touchstone"
    assert len(manifest["prompts"]["templates"]["felm_segment"]) == 64
    assert manifest["dataset"]["name"] == "lab"
    assert (manifest["dataset"]["responses"], len(manifest["dataset"]["content_hash"])) == (3, 64)
    assert manifest["gold"] == {"revision": 1, "version": None}
    assert manifest["code"]["version"]
    assert manifest["packages"]["openai"]
    assert manifest["database"] in {"sqlite", "postgresql"}


def test_the_manifest_keeps_the_seed(lab):
    assert create_run(lab, "random", parameters={"seed": "5"}).run.manifest["seed"] == 5


def test_the_manifest_holds_no_secret_and_no_path(lab, model, settings):
    text = str(create_run(lab, "felm-segment", model="m").run.manifest)
    assert "a key for tests" not in text
    assert str(settings.BASE_DIR) not in text
    assert str(settings.DATA_DIR) not in text


def test_a_manifest_can_be_written_without_git(lab, monkeypatch):
    monkeypatch.setattr("evaluators.runs.manifest._git", manifest._git.__wrapped__)  # nothing found before
    monkeypatch.setenv("PATH", "")
    code = create_run(lab, "random").run.manifest["code"]
    assert (code["commit"], code["changed"]) == (None, None)
    assert Run.objects.count() == 1
