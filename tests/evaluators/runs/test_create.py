"""Make evaluators and runs."""

from io import BytesIO

import pytest

from annotate.models import Prompt, Response
from annotate.prompt_sets.upload import store_set
from evaluators.models import Evaluator, Run
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.models import Endpoint
from tests.factories import make_dataset, make_response


def test_a_run_has_an_item_for_each_response_in_order(lab):
    run = create_run(lab, "random").run
    assert run.state == "queued"
    assert [item.response.position for item in run.items.all()] == [0, 1, 2]


def test_an_evaluator_is_named_after_method_and_model(lab, model):
    run = create_run(lab, "felm-segment", model="m").run
    assert (run.evaluator.name, run.evaluator.method, run.evaluator.model) == ("felm-segment · m", "felm-segment", "m")


def test_parameters_are_stored_with_their_defaults(lab, model):
    run = create_run(lab, "felm-segment", model="m", parameters={"in_flight": "64"}).run
    assert run.evaluator.parameters["in_flight"] == 64
    assert run.evaluator.parameters["temperature"] == 0.0


def test_limit_takes_the_first_responses(lab):
    run = create_run(lab, "random", limit=2).run
    assert [item.response.position for item in run.items.all()] == [0, 1]


def test_the_same_name_with_other_parameters_is_an_error(lab):
    create_run(lab, "random", parameters={"seed": "1"})
    with pytest.raises(RunError, match=r"with other parameters \(seed=1, not seed=2\)"):
        create_run(lab, "random", parameters={"seed": "2"})
    assert Evaluator.objects.count() == Run.objects.count() == 1


def test_the_same_name_with_another_method_is_an_error(lab):
    create_run(lab, "random", name="mine")
    with pytest.raises(RunError, match=r"another method \(random, not always-supported\)"):
        create_run(lab, "always-supported", name="mine")


@pytest.mark.parametrize(
    ("method", "options", "cause"),
    [
        ("oracle", {}, "no method 'oracle'"),
        ("felm-segment", {}, "needs a model"),
        ("random", {"model": "m"}, "calls no model"),
        ("random", {"parameters": {"speed": "1"}}, "no parameter 'speed'"),
        ("random", {"parameters": {"seed": "x"}}, "seed is 'x'"),
        ("felm-segment", {"model": "m", "parameters": {"prompts": "none"}}, "'none'"),
        ("random", {"name": "x" * 201}, "1 to 200 characters"),
    ],
)
def test_what_cannot_run_is_refused_with_a_reason(lab, method, options, cause):
    with pytest.raises(RunError, match=cause):
        create_run(lab, method, **options)
    assert not Evaluator.objects.exists()


def test_a_method_of_another_scheme_is_refused(db):
    with pytest.raises(RunError, match="factscore scheme"):
        create_run(make_dataset(scheme="factscore"), "felm-claim", model="m")


def test_a_dataset_without_responses_is_refused(db):
    with pytest.raises(RunError, match="no response to evaluate"):
        create_run(make_dataset(), "random")
    assert not Evaluator.objects.exists()


def test_the_same_run_is_not_made_twice(lab):
    first = create_run(lab, "random")
    second = create_run(lab, "random")
    assert (first.created, second.created, second.run) == (True, False, first.run)


def test_a_finished_run_is_not_repeated_unless_forced(lab):
    run = create_run(lab, "random").run
    work_on(RunJob(), run.pk)
    assert create_run(lab, "random").run == run
    assert create_run(lab, "random", force=True).run != run


def test_a_run_over_other_responses_is_another_run(lab):
    run = create_run(lab, "random").run
    assert create_run(lab, "random", limit=1).run != run
    make_response(lab)
    assert create_run(lab, "random").run != run


@pytest.mark.parametrize("state", ["failed", "cancelled"])
def test_a_run_that_came_to_nothing_does_not_stand_in_the_way(run, lab, state):
    Run.objects.update(state=state)
    assert create_run(lab, "always-supported").created


def test_a_large_dataset_is_queued_in_few_queries(lab, django_assert_max_num_queries):
    prompt = Prompt.objects.create(dataset=lab, text="?")
    first = lab.responses.first()
    for place in range(3, 103):
        response = Response.objects.create(
            dataset=lab, imported=first.imported, prompt=prompt, index=str(place), position=place, content_hash="0" * 64
        )
        response.segments.create(position=0, text="One.")
    with django_assert_max_num_queries(15):
        assert create_run(lab, "random").run.items.count() == 103


def test_an_uploaded_prompt_set_is_named_for_good(lab, model):
    turns = b"== user\n$question $segments"
    first = store_set(lab, "mine", [("felm_segment.txt", BytesIO(turns))], None)
    run = create_run(lab, "felm-segment", model="m", parameters={"prompts": "mine"}).run
    store_set(lab, "mine", [("felm_segment.txt", BytesIO(turns + b"!"))], None)

    assert run.evaluator.parameters["prompts"] == run.manifest["prompts"]["set"] == str(first)


def test_a_run_keeps_to_the_endpoint_it_began_with(lab, model, monkeypatch):
    run = create_run(lab, "felm-segment", model="m").run
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    before = model.stats()["total"]
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert (run.state, model.stats()["total"] - before) == (Run.State.FINISHED, 2)


def test_the_same_at_another_endpoint_is_another_run(lab, model, monkeypatch):
    here = create_run(lab, "felm-segment", model="m").run
    Endpoint.objects.create(shared=True, name="elsewhere", base_url="http://127.0.0.1:9/v1")
    named = create_run(lab, "felm-segment", model="m", name="e", parameters={"endpoint": "elsewhere"}).run
    assert named.manifest["endpoint"] == "http://127.0.0.1:9/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    there = create_run(lab, "felm-segment", model="m")
    assert there.created and there.run.pk != here.pk
    assert not create_run(lab, "felm-segment", model="m").created
