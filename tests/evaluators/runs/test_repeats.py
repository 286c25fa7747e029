"""Which runs are repeats of one evaluator."""

import pytest

from evaluators.models import Evaluator, Run
from evaluators.runs.repeats import ASKED_ONCE, CAME_ONCE, ask_anew_query, run_sets
from tests.factories import make_dataset, make_response

pytestmark = pytest.mark.django_db


def add_run(dataset, name="judge", asking=0, content="a", method="felm-segment", **manifest):
    evaluator, _ = Evaluator.objects.get_or_create(
        name=name, defaults={"method": method, "model": "m" if method == "felm-segment" else ""}
    )
    manifest = {"dataset": {"content_hash": content}, "endpoint": "http://one", **manifest}
    return Run.objects.create(
        evaluator=evaluator, dataset=dataset, state=Run.State.FINISHED, asking=asking, manifest=manifest
    )


def test_runs_that_ask_anew_are_repeats():
    dataset = make_dataset()
    runs = [add_run(dataset, asking=asking) for asking in range(3)]

    (found,) = run_sets(dataset)

    assert (found.latest, found.runs, found.unmeasured) == (runs[2], tuple(runs), "")


def test_of_runs_of_one_asking_the_last_counts():
    """The first run was made again from the known answers: it says nothing new."""
    dataset = make_dataset()
    _, anew, again = add_run(dataset), add_run(dataset, asking=1), add_run(dataset)

    (found,) = run_sets(dataset)

    assert (found.latest, found.runs) == (again, (again, anew))


@pytest.mark.parametrize("other", [{"content": "b"}, {"endpoint": "http://two"}, {"prompts": {"set": "mine"}}])
def test_what_was_asked_otherwise_is_no_repeat(other):
    dataset = make_dataset()
    add_run(dataset, **other)
    last = add_run(dataset, asking=1)

    (found,) = run_sets(dataset)

    assert (found.runs, found.unmeasured) == ((last,), ASKED_ONCE)


def test_runs_that_have_not_finished_do_not_count():
    dataset = make_dataset()
    first, second = add_run(dataset), add_run(dataset, asking=1)
    Run.objects.filter(pk=second.pk).update(state=Run.State.FAILED)

    (found,) = run_sets(dataset)

    assert found.runs == (first,)


def test_the_same_evaluator_under_another_name_adds_its_runs_to_the_first():
    dataset = make_dataset()
    first, other = add_run(dataset, "judge"), add_run(dataset, "again", asking=1)

    again, judge = run_sets(dataset)

    assert (judge.runs, judge.same_as) == ((first, other), "")
    assert (again.latest, again.runs, again.same_as, again.unmeasured) == (other, (other,), "judge", "")


@pytest.mark.parametrize("method", ["lexical", "always-supported", "random"])
def test_a_method_without_a_model_has_no_noise(method):
    dataset = make_dataset()
    add_run(dataset, "one", method=method)
    add_run(dataset, "two", asking=1, method=method)

    found = run_sets(dataset)

    assert [(len(each.runs), each.same_as, each.unmeasured) for each in found] == [(1, "", "")] * 2


@pytest.mark.parametrize(
    ("method", "manifest", "why"),
    [("imported", {}, CAME_ONCE), ("felm-segment", {"bundle": {"file": "b.zip"}}, ASKED_ONCE)],
)
def test_what_came_from_elsewhere_cannot_be_asked_anew(method, manifest, why):
    dataset = make_dataset()
    run = add_run(dataset, method=method, **manifest)

    (found,) = run_sets(dataset)

    assert (found.runs, found.unmeasured) == ((run,), why)
    assert ask_anew_query(run) == ""


def test_repeats_of_a_results_bundle_are_repeats_of_each_other_alone():
    dataset = make_dataset()
    first = add_run(dataset, "judge")
    second, third = (add_run(dataset, "judge (theirs)", asking, bundle={"file": "b.zip"}) for asking in (1, 2))

    own, theirs = run_sets(dataset)

    assert (own.runs, theirs.runs, theirs.same_as) == ((first,), (second, third), "")


def test_the_form_of_a_new_run_is_filled_in_from_the_run():
    dataset = make_dataset()
    response = make_response(dataset)
    make_response(dataset, prompt="Another?")
    run = add_run(dataset)
    run.evaluator.parameters = {"temperature": 0.7}
    run.items.create(response=response, position=0)

    fields = "method=felm-segment&model=m&name=judge&anew=on&parameter-temperature=0.7"

    assert ask_anew_query(run) == f"{fields}&limit=1"
    run.items.create(response=dataset.responses.last(), position=1)
    assert ask_anew_query(run) == fields
