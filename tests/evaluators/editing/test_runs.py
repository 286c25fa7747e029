"""Editors as runs, with a real model server."""

import pytest

from evaluators.methods import EDITORS
from evaluators.methods.edit_baselines import add_noise
from evaluators.methods.editing import read_edit
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.progress import progress_of
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.models import Call
from tests.evaluators.editing.work import RIDING, TWICE, make_lives, texts, worked

pytestmark = pytest.mark.django_db


@pytest.fixture
def lives():
    return make_lives()


def prompts():
    return [call.request["messages"][-1]["content"] for call in Call.objects.order_by("pk")]


def test_a_model_edits_the_sentences_that_gold_calls_wrong(lives, model):
    run = worked(lives, "edit-no-context", "m")
    assert texts(run) == ["Ada bred right horses in Bath.", "She was right twice.", "Ben sang right songs."]
    assert run.edits
    now = progress_of(run)
    assert (now.predicted, now.unparsed, now.paid) == (3, 0, 3)
    assert all("Fact" not in prompt for prompt in prompts())


def test_gold_facts_come_with_their_labels(lives, model):
    worked(lives, "edit-no-context", "m", facts="gold")
    [prompt] = [each for each in prompts() if RIDING in each]
    assert "Fact 1 (False): Ada bred wrong horses.\nFact 2 (True): Ada bred horses.\nEdit:" in prompt


def test_facts_and_sentences_of_a_run_are_those_that_it_judged(lives, model):
    judged = worked(lives, "always-not-supported")
    run = worked(lives, "edit-no-context", "m", facts="run", run=str(judged.pk))
    assert "She rode." in texts(run)
    assert any("Fact 2 (False): Ada bred horses." in prompt for prompt in prompts())
    assert run.evaluator.name == f"edit-no-context + facts by run {judged.pk} · m"


def test_the_retrieving_editor_shows_passages_and_leaves_out_topics_without_a_page(lives, model):
    run = worked(lives, "edit-retrieve", "m")
    assert len(texts(run)) == 2
    assert progress_of(run).skipped == {"no page of the topic": 1}
    assert all("Text: Ada bred right horses in Rome." in prompt for prompt in prompts())


def test_a_sentence_that_is_cut_off_is_no_correction(lives, model):
    model.control(answer="Ada bred", finish_reason="length")
    run = create_run(lives, "edit-no-context", model="m").run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert texts(run) == [None] * 3
    assert run.error.startswith("Nothing could be read: 3 of 3 units have no verdict: 3 cut off at the longest answer.")


def test_only_sentences_that_people_corrected(lives, model):
    assert texts(worked(lives, "edit-copy", sentences="corrected")) == [RIDING, TWICE]


def test_an_empty_answer_is_unparsed_and_a_run_of_no_other_fails(lives, model):
    model.control(answer=" ")
    run = create_run(lives, "edit-no-context", model="m").run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert texts(run) == [None, None, None]
    assert run.error.startswith("Nothing could be read: 3 of 3 units have no verdict: 3 not parsed.")


def test_the_same_run_is_not_made_twice_but_other_gold_is_another(lives, model):
    first = worked(lives, "edit-copy")
    assert create_run(lives, "edit-copy").run == first
    lives.next_gold_revision()
    assert create_run(lives, "edit-copy").created


def test_an_editors_run_is_no_evaluators(lives, model):
    from evaluators.predictions.read import latest_runs
    from evaluators.runs.listing import list_runs

    run = worked(lives, "edit-copy")
    assert latest_runs(lives) == []
    assert list(list_runs(lives)) == []
    assert list(list_runs(lives, edits=True)) == [run]


@pytest.mark.parametrize(
    ("parameters", "cause"),
    [
        ({"facts": "run"}, "needs the number of the run"),
        ({"facts": "gold", "run": "1"}, "leave one out"),
        ({"run": "999999"}, "no finished run of an evaluator"),
    ],
)
def test_labels_that_are_not_there_are_refused(lives, model, parameters, cause):
    with pytest.raises(RunError, match=cause):
        create_run(lives, "edit-no-context", model="m", parameters=parameters)


def test_felm_datasets_have_no_editors():
    assert {method.schemes for method in EDITORS.values()} == {("factscore",)}


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("Ada rode.", "Ada rode."),
        ("Edit: Ada rode.\n\nI changed the verb.", "Ada rode."),
        ('"Ada rode."', "Ada rode."),
        ("(none)", ""),
        ("The input has no errors.", "Ada ran."),
        ("The sentence is correct.", "Ada ran."),
        ("The sentence is long.", "The sentence is long."),
        (" \n", None),
    ],
)
def test_an_answer_is_read(answer, read):
    assert read_edit(answer, "Ada ran.") == read


def test_noise_disturbs_a_quarter_of_the_words_and_repeats():
    text = "one two three four five six seven eight"
    noisy = add_noise(text, ["other"], 0.25, "7 a 0")
    # Of eight words two are dropped or replaced by "other": six stay.
    assert sum(word in text.split() for word in noisy.split()) == 6
    assert set(noisy.split()) <= {*text.split(), "other"}
    assert add_noise(text, ["other"], 0.25, "7 a 0") == noisy
    assert len({add_noise(text, ["other"], 0.25, f"{seed} a 0") for seed in range(5)}) > 1
