"""Plans and draws: who is drawn, with which probability, and what is refused."""

import numpy as np
import pytest

from annotate.models import Assignment, Task
from annotate.tasks.assign import AssignError
from evaluators.comparison.study import study_of
from evaluators.label_next.estimate import estimate_rounds, labelled_pool, later_draws
from evaluators.label_next.plan import draw_round, make_plan, next_draw, plan_of, planned_pool
from evaluators.label_next.preview import drawn_prompts
from evaluators.label_next.read import PlanError
from evaluators.models import Prediction, Run
from stats.drawn_labels import estimate
from tests.annotate.adjudication.work import make_task
from tests.evaluators.comparison.rows import add_run
from tests.evaluators.label_next.work import NAMES, label, make_pool
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def planned(dataset, name="judge 0"):
    return planned_pool(plan_of(dataset), study_of(dataset, None), name)


def drawn_keys(dataset):
    pool = planned(dataset)
    return pool.pool.key[pool.drawn(pool.plan.rounds.last().scale)].tolist()


def test_prompts_at_which_the_others_contradict_have_the_higher_scores():
    dataset = make_pool()
    make_plan(dataset, "judge 0", "f1", 7, None)
    pool = planned(dataset)
    contradicted = np.arange(24) % 4 == 0
    assert pool.score[contradicted].min() > pool.score[~contradicted].max()
    assert pool.score.min() >= pool.plan.floor
    assert not plan_of(dataset).rounds.exists()


def test_a_draw_assigns_the_tasks_of_its_prompts_alone_with_their_probability():
    dataset = make_pool()
    dataset.overlap = 0
    dataset.save()
    plan = make_plan(dataset, "judge 0", "f1", 7, None)
    draw_round(plan, 8, NAMES, None)
    drawn = drawn_keys(dataset)
    pool = planned(dataset)
    probability = dict(zip(pool.pool.key.tolist(), pool.probability(plan.rounds.get().scale).tolist(), strict=True))
    tasks = {task.responses.get().prompt_id: task for task in Task.objects.filter(dataset=dataset)}
    assert sorted(tasks) == sorted(drawn)
    assert {prompt: task.probability for prompt, task in tasks.items()} == {key: probability[key] for key in drawn}
    assert Assignment.objects.of(dataset).count() == len(drawn)


def test_tasks_that_were_not_drawn_stay_as_they_are():
    dataset = make_pool()
    tasks = [make_task(response, wants=1) for response in dataset.responses.all()]
    plan = make_plan(dataset, "judge 0", "f1", 7, None)
    draw_round(plan, 8, NAMES, None)
    drawn = drawn_keys(dataset)
    for task in tasks:
        task.refresh_from_db()
        is_drawn = task.responses.get().prompt_id in drawn
        assert (task.probability is not None) == is_drawn == task.assignments.exists()


def test_a_later_round_keeps_scores_and_prompts_and_raises_probabilities():
    dataset = make_pool()
    plan = make_plan(dataset, "judge 0", "f1", 7, None)
    draw_round(plan, 6, NAMES, None)
    first, before = drawn_keys(dataset), dict(Task.objects.values_list("pk", "probability"))
    scores = list(plan.prompts.values_list("score", "number"))
    label(dataset, first)
    dataset.refresh_from_db()
    draw_round(plan, 6, NAMES, None)
    assert set(first) < set(drawn_keys(dataset))
    assert list(plan.prompts.values_list("score", "number")) == scores
    after = dict(Task.objects.values_list("pk", "probability"))
    assert all(after[task] > probability for task, probability in before.items() if probability < 1)
    assert [each.expected for each in plan.rounds.all()] == [6, 12]


def test_nothing_is_estimated_while_a_drawn_prompt_waits_for_gold():
    dataset = make_pool()
    plan = make_plan(dataset, "judge 0", "f1", 7, None)
    draw_round(plan, 10, NAMES, None)
    drawn = drawn_keys(dataset)
    label(dataset, drawn[1:])
    (waiting,) = estimate_rounds(planned(dataset), "f1")
    assert (waiting.awaited, waiting.awaited_labels, waiting.estimate, waiting.saved) == (1, 3, None, None)
    label(dataset, drawn[:1])
    (whole,) = estimate_rounds(planned(dataset), "f1")
    assert whole.awaited == 0
    assert whole.labels == 3 * len(drawn)
    low, high = whole.estimate.interval
    assert 0 < low < whole.estimate.value < high < 1
    assert whole.saved == pytest.approx(3 * whole.estimate.random_prompts - whole.labels)
    assert [each.more for each in later_draws(planned(dataset), "f1", [whole])] == [10]


def test_gold_that_was_not_drawn_changes_no_estimate():
    dataset = make_pool()
    plan = make_plan(dataset, "judge 0", "f1", 7, None)
    draw_round(plan, 10, NAMES, None)
    drawn = drawn_keys(dataset)
    label(dataset, drawn)
    (before,) = estimate_rounds(planned(dataset), "f1")
    others = [key for key in planned(dataset).pool.key.tolist() if key not in drawn]
    label(dataset, others[:5], seed=9)
    (after,) = estimate_rounds(planned(dataset), "f1")
    assert after.estimate.value == before.estimate.value
    assert planned(dataset).outside() == 5


def test_gold_that_a_later_round_draws_counts_and_asks_for_no_work():
    dataset = make_pool()
    plan = make_plan(dataset, "judge 0", "f1", 7, None)
    label(dataset, planned(dataset).pool.key.tolist())
    draw_round(plan, 12, NAMES, None)
    assert not Task.objects.exists()
    (found,) = estimate_rounds(planned(dataset), "f1")
    assert (found.prompts, found.awaited) == (len(drawn_keys(dataset)), 0)
    assert found.estimate.interval is not None


def test_prompts_with_gold_before_the_plan_count_as_they_are():
    dataset = make_pool()
    prompts = list(dataset.responses.values_list("prompt", flat=True))
    label(dataset, prompts[:9])
    plan = make_plan(dataset, "judge 0", "f1", 7, None)
    pool = planned(dataset)
    assert pool.known.tolist() == [place < 9 for place in range(24)]
    draw_round(plan, 8, NAMES, None)
    drawn = drawn_keys(dataset)
    assert not set(drawn) & set(prompts[:9])
    label(dataset, drawn)
    pool = planned(dataset)
    of_round = labelled_pool(pool, plan.rounds.get().scale)
    assert of_round.probability[:9].tolist() == [1] * 9
    assert of_round.labelled.sum() == 9 + len(drawn)
    assert estimate(of_round, "recall").value is not None


def test_another_evaluator_is_estimated_from_the_same_labels():
    dataset = make_pool()
    plan = make_plan(dataset, "judge 0", "f1", 7, None)
    draw_round(plan, 12, NAMES, None)
    label(dataset, drawn_keys(dataset))
    (own,) = estimate_rounds(planned(dataset), "f1")
    (other,) = estimate_rounds(planned(dataset, "judge 1"), "f1")
    assert other.labels == own.labels
    assert other.estimate.value > own.estimate.value


def test_the_preview_says_why_each_prompt_is_drawn():
    dataset = make_pool()
    make_plan(dataset, "judge 0", "f1", 7, None)
    pool = planned(dataset)
    preview = drawn_prompts(pool, next_draw(pool, 20))
    assert [each.probability for each in preview] == sorted((each.probability for each in preview), reverse=True)
    assert preview[0].why == "most others contradict it at 3 of 3 units"
    assert preview[-1].why == "the others agree with it; every prompt has a chance"


@pytest.mark.parametrize(
    ("evaluators", "name", "why"),
    [
        (1, "judge 0", "no other evaluator"),
        (2, "nobody", "no finished run of an evaluator 'nobody'"),
    ],
)
def test_a_plan_needs_the_evaluator_and_another_one(evaluators, name, why):
    dataset = make_pool(4, evaluators)
    with pytest.raises(PlanError, match=why):
        make_plan(dataset, name, "f1", 7, None)


def test_a_plan_needs_something_to_draw():
    dataset = make_pool(4)
    label(dataset, list(dataset.responses.values_list("prompt", flat=True)))
    with pytest.raises(PlanError, match="No prompts to draw"):
        make_plan(dataset, "judge 0", "f1", 7, None)


def test_a_plan_for_a_figure_that_nothing_can_give_is_refused():
    dataset = make_pool(4)
    units = [segment for response in dataset.responses.all() for segment in response.segments.all()]
    add_run(dataset, dict.fromkeys(units, "S"), name="trusting")
    with pytest.raises(PlanError, match="called no unit an error"):
        make_plan(dataset, "trusting", "precision", 7, None)


def test_a_new_plan_waits_for_what_was_drawn():
    dataset = make_pool()
    plan = make_plan(dataset, "judge 0", "f1", 7, None)
    draw_round(plan, 8, NAMES, None)
    with pytest.raises(PlanError, match="wait for gold"):
        make_plan(dataset, "judge 1", "f1", 7, None)
    label(dataset, drawn_keys(dataset))
    dataset.refresh_from_db()
    assert make_plan(dataset, "judge 1", "f1", 8, None) == plan_of(dataset)
    assert planned(dataset, "judge 1").known.sum() > 0


def test_everything_drawn_leaves_nothing():
    dataset = make_pool(6)
    plan = make_plan(dataset, "judge 0", "f1", 7, None)
    draw_round(plan, 100, NAMES, None)
    assert len(drawn_keys(dataset)) == 6
    with pytest.raises(PlanError, match="all prompts of the plan are drawn"):
        draw_round(plan, 1, NAMES, None)


def test_a_draw_without_annotators_changes_nothing():
    dataset = make_pool(6)
    plan = make_plan(dataset, "judge 0", "f1", 7, None)
    with pytest.raises(AssignError):
        draw_round(plan, 4, [], None)
    assert not plan.rounds.exists()
    assert not Task.objects.exists()


def test_prompts_newer_than_the_plan_are_left_out():
    dataset = make_pool(6)
    make_plan(dataset, "judge 0", "f1", 7, None)
    segment = make_response(dataset, ["One."], "New?").segments.get()
    Prediction.objects.create(run=Run.objects.get(evaluator__name="judge 0"), segment=segment, value="supported")
    assert planned(dataset).newcomers == 1


def test_facts_of_all_subjects_are_drawn_by_prompt_and_irrelevant_sentences_do_not_count():
    dataset = make_dataset("lives", scheme="factscore")
    said = [{}, {}]
    for number in range(12):
        first = make_response(dataset, ["She sang."], f"Life {number}", subject="gpt")
        second = make_response(dataset, ["He rode."], first.prompt, subject="llama")
        for response in (first, second):
            for place, fact in enumerate(add_facts(response, [["One.", "Two."]])):
                said[0][fact], said[1][fact] = "NS"[place], "SN"[(place + number) % 2]
    for judge, units in enumerate(said):
        add_run(dataset, units, name=f"judge {judge}")
    for name in NAMES:
        make_person(name, dataset)
    plan = make_plan(dataset, "judge 0", "precision", 7, None)
    draw_round(plan, 8, NAMES, None)
    assert {task.responses.count() for task in dataset.tasks.all()} == {2}
    for response in dataset.responses.filter(task__isnull=False):
        if response.subject == "llama":
            add_gold(response.segments.get(), "irrelevant")
            continue
        for fact, value in zip(response.segments.get().facts.all(), ("not_supported", "supported"), strict=True):
            add_gold(fact, value)
    pool = planned(dataset)
    (found,) = estimate_rounds(pool, "precision")
    assert (found.awaited, found.labels) == (0, 4 * found.prompts)
    # One alarm and one correct unit of each drawn prompt count: those of the irrelevant sentences do not.
    of_round = labelled_pool(pool, plan.rounds.get().scale)
    assert of_round.true_totals()[of_round.labelled].tolist() == [[1, 0, 0, 1]] * found.prompts
    assert found.estimate.value > 0.5
