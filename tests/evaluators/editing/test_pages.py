"""The pages of editing: starting a run, reading edits, rating a sample, settling it."""

import json
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.prompts.asking import UnreadableError
from evaluators.editing.draw import draw_sample
from evaluators.editing.results import results_of
from evaluators.methods import EDITORS
from evaluators.methods.base import Edit, Skip
from evaluators.models import Run
from evaluators.runs.forms import PREFIX
from llm.models import Call
from tests.evaluators.editing.work import RIDING, TWICE, make_lives, worked
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def lives(model):
    dataset = make_lives()
    make_person("dora", dataset, "adjudicator")
    make_person("rhea", dataset, "researcher")
    return dataset


@pytest.fixture
def dora(client, lives):
    client.login(username="dora", password="dora")
    return client


def page(client, name, *keys, **query):
    response = client.get(reverse(name, args=keys), query)
    assert response.status_code == 200
    return response.content.decode()


def test_editors_are_offered_and_started_from_an_evaluators_run(dora, lives):
    judged = worked(lives, "always-not-supported")
    assert f"?run={judged.pk}#editors" in page(dora, "run", judged.pk)
    offered = page(dora, "run-new", lives.pk, run=judged.pk)
    assert f"?method=edit-retrieve&amp;parameter-run={judged.pk}&amp;parameter-facts=run" in offered
    query = {"method": "edit-no-context", f"{PREFIX}run": judged.pk, f"{PREFIX}facts": "run"}
    form = dora.get(reverse("run-new", args=[lives.pk]), query).context["form"]
    fields = {name: form[name].value() for name in form.fields if name.startswith(PREFIX)}
    address = f"{reverse('run-new', args=[lives.pk])}?method=edit-no-context"
    started = dora.post(address, {**fields, "model": "m"}, follow=True)
    run = Run.objects.get(edits=True)
    assert started.redirect_chain[-1][0] == reverse("edits", args=[run.pk])
    assert run.evaluator.parameters["run"] == judged.pk


def test_the_page_of_a_felm_dataset_says_that_it_has_no_editors(dora, lives):
    felm = make_dataset("felm")
    make_person("dora", felm, "adjudicator")
    assert "No editors for this dataset" in page(dora, "editing", felm.pk)
    assert "Editors</h2>" not in page(dora, "run-new", felm.pk, methods="all")


def test_figures_of_editors_stand_on_the_page(dora, lives):
    assert "No editing runs yet" in page(dora, "editing", lives.pk)
    worked(lives, "edit-no-context", "m")
    worked(lives, "edit-copy")
    text = page(dora, "editing", lives.pk)
    # ErrLoc of both, worked by hand in test_figures.py: (16/21 + 1/3) / 2 = 23/42 and 3/16.
    assert "0.548" in text
    assert "0.188" in text
    assert "rests on 1 prompts" in text


def test_support_before_and_after_stands_on_the_page(dora, lives):
    run = worked(lives, "edit-copy")
    assert "import them as a dataset of their own" in page(dora, "editing", lives.pk)
    responses = dora.get(reverse("edits-export", args=[run.pk]), {"responses": ""})
    assert responses["Content-Disposition"] == f'attachment; filename="edited-{run.pk}.jsonl"'
    assert [json.loads(line)["response"] for line in responses.getvalue().splitlines()][1] == "Ben sang wrong songs."
    after = make_dataset("after", scheme="factscore")
    make_person("dora", after, "researcher")
    ada = make_response(after, ["Ada bred right horses."], prompt="Ada", subject="m")
    [fact] = add_facts(ada, [["Ada bred right horses."]])
    add_gold(fact, "supported")
    text = page(dora, "editing", lives.pk, after=after.pk)
    # Of Ada's facts 2 of 4 are supported before, the one after.
    assert squeezed(text).count('<td class="num">0.500') == 2
    assert '<td class="num">1.000' in squeezed(text)
    strange = make_dataset("strange", scheme="factscore")
    assert dora.get(reverse("editing", args=[lives.pk]), {"after": strange.pk}).status_code == 404
    assert "strange" not in text


def test_edits_are_read_as_word_diffs_with_their_facts(dora, lives):
    run = worked(lives, "edit-no-context", "m", facts="gold")
    text = page(dora, "edits", run.pk)
    assert "<del> wrong</del> <ins> right</ins>" in text
    assert "Ada bred wrong horses." in text
    assert "<del> Bath.</del> <ins> Rome.</ins>" in text
    assert page(dora, "edits", run.pk, show="corrected").count('<li>\n  <p class="quiet">m/') == 2
    assert "No matching edits." in page(dora, "edits", run.pk, show="unparsed")


async def edit_some(case, tools):
    """Edits Ada's first sentence and leaves out the other, both after an answer; cannot read the answer about Ben."""
    answers = [await tools.ask([{"role": "user", "content": f"Edit: {unit.text}"}]) for unit in case.units]
    if case.topic == "Ben":
        raise UnreadableError("the answer names no sentence")
    first, other = case.units
    return [Edit(first, "Ada bred horses.", (answers[0].call_id,)), Skip(other, "no page")]


@pytest.fixture
def run(lives, monkeypatch):
    editor = replace(EDITORS["edit-no-context"], name="edit-some", build=lambda parameters: edit_some, prompt=None)
    monkeypatch.setitem(EDITORS, "edit-some", editor)
    return worked(lives, "edit-some", "m")


def call_about(text):
    return next(call for call in Call.objects.all() if text in call.request["messages"][0]["content"])


def test_each_edit_shows_its_calls(dora, run):
    text = squeezed(page(dora, "edits", run.pk))
    riding = call_about(RIDING)
    assert text.count("Calls (1)") == text.count("Prompt and answer") == 1
    address = reverse("run-call", args=[run.pk, riding.pk])
    assert f'href="{address}"' in text
    of_call = squeezed(dora.get(address).content.decode())
    assert riding.answer in of_call
    assert f"<tr><td>{RIDING}</td> <td>Ada bred horses.</td></tr>" in of_call


def test_responses_that_failed_or_were_left_out_show_their_calls(dora, run):
    text = squeezed(page(dora, "edits", run.pk, show="not-edited"))
    assert "2 responses" in text
    assert "1 sentence left out: no page" in text
    assert "The answer names no sentence" in text
    # Two sentences of Ada and one of Ben.
    assert (text.count("Calls (2)"), text.count("Calls (1)")) == (1, 1)
    for call in Call.objects.all():
        assert f'href="{reverse("run-call", args=[run.pk, call.pk])}"' in text
    left_out = dora.get(reverse("run-call", args=[run.pk, call_about(TWICE).pk])).content.decode()
    assert "No edit cites this answer." in left_out


def test_all_responses_of_an_editors_run_are_listed_and_those_left_out_alone(dora, lives):
    run = worked(lives, "edit-retrieve", "m")
    assert squeezed(page(dora, "edits", run.pk, show="responses")).count("Calls (2)") == 1
    text = squeezed(page(dora, "edits", run.pk, show="not-edited"))
    assert "m/Ben</a>" in text
    assert "m/Ada</a>" not in text
    worked(lives, "edit-copy")
    assert "No matching responses." in page(dora, "edits", run.pk + 1, show="not-edited")


def test_an_editors_run_without_calls_of_items_shows_those_of_its_edits(dora, lives):
    run = worked(lives, "edit-no-context", "m")
    for item in run.items.all():
        item.calls.clear()
    text = squeezed(page(dora, "edits", run.pk, show="responses"))
    assert (text.count("Calls (2)"), text.count("Calls (1)")) == (1, 1)


def test_calls_are_shown_with_a_rated_sample_and_never_to_its_raters(dora, lives):
    run = worked(lives, "edit-no-context", "m")
    sample = draw_sample(run, 2, 1, 7, None)
    assert "/calls/" not in page(dora, "edit-rate", sample.pk)
    rate_all(dora, sample, [True, False])
    text = page(dora, "edit-sample", sample.pk)
    assert text.count("Calls (1)") == text.count(f"/runs/{run.pk}/calls/") == 2


def test_a_sample_is_rated_blind_by_two_people_and_settled(dora, lives, client):
    run = worked(lives, "edit-no-context", "m")
    drawn = dora.post(reverse("edits", args=[run.pk]), {"size": 2, "raters": 2, "seed": 7}, follow=True)
    sample = run.edit_samples.get()
    assert drawn.redirect_chain[-1][0] == reverse("edit-sample", args=[sample.pk])
    assert run.evaluator.name not in page(dora, "edit-rate", sample.pk).split("</header>")[-1]
    rate_all(dora, sample, [True, True])
    assert "2 of 4 ratings complete" in page(dora, "edit-sample", sample.pk)
    client.login(username="rhea", password="rhea")
    rate_all(client, sample, [True, False])
    results = results_of(sample)
    # One edit is accepted by both, the other divides them: half of the two agree.
    assert (results.accepted.hits, results.accepted.n, results.unsettled) == (1, 1, 1)
    assert results.questions[0].agreement["percent"].value == 0.5
    divided = next(each for each in results.rated if each.differs)
    client.login(username="dora", password="dora")
    settle = reverse("edit-sample-settle", args=[sample.pk, divided.item.pk])
    assert "Say why" in client.post(settle, {"accepted": "no"}, follow=True).content.decode()
    client.post(settle, {"accepted": "no", "why": "It lost the town."})
    results = results_of(sample)
    assert (results.accepted.hits, results.accepted.n, results.unsettled) == (1, 2, 0)
    text = page(client, "edit-sample", sample.pk)
    assert "It lost the town." in text
    assert "<del> wrong</del> <ins> right</ins>" in text
    rows = [json.loads(line) for line in client.get(reverse("edits-export", args=[run.pk])).getvalue().splitlines()]
    assert sorted(str(row["accepted"]) for row in rows) == ["False", "None", "True"]


def rate_all(client, sample, accepted):
    for place, answer in enumerate(accepted):
        item = sample.items.get(position=place)
        form = {"item": item.pk, "accepted": "yes" if answer else "no", "new_error": "no"}
        assert client.post(reverse("edit-rate", args=[sample.pk]), form).status_code == 302


def queries_of(client, name, key, **query):
    with CaptureQueriesContext(connection) as queries:
        assert client.get(reverse(name, args=[key]), query).status_code == 200
    return len(queries)


def test_the_queries_of_edits_and_ratings_do_not_grow(dora, lives, model):
    few = worked(lives, "edit-no-context", "few", sentences="corrected")
    many = worked(lives, "edit-no-context", "many")
    page(dora, "edits", few.pk)  # what is read once a process
    assert queries_of(dora, "edits", few.pk) == queries_of(dora, "edits", many.pk)
    assert queries_of(dora, "edits", few.pk, show="responses") == queries_of(dora, "edits", many.pk, show="responses")
    samples = [draw_sample(many, size, 1, 7, None) for size in (2, 3)]
    for sample in samples:
        rate_all(dora, sample, [True] * sample.size)
    assert queries_of(dora, "edit-sample", samples[0].pk) == queries_of(dora, "edit-sample", samples[1].pk)


def test_only_changed_sentences_are_drawn(dora, lives):
    run = worked(lives, "edit-copy")
    refused = dora.post(reverse("edits", args=[run.pk]), {"size": 1, "raters": 2})
    assert refused.status_code == 422
    assert "changed no sentence" in refused.content.decode()


def test_the_same_seed_draws_the_same(lives):
    run = worked(lives, "edit-no-context", "m")
    samples = [draw_sample(run, 2, 2, 7, None) for _ in range(2)]
    keys = [list(sample.items.order_by("position").values_list("edit", flat=True)) for sample in samples]
    assert keys[0] == keys[1]


def test_names_of_figures_link_to_their_definitions(dora, lives):
    run = worked(lives, "edit-no-context", "m", facts="gold")
    check_figure_names(page(dora, "editing", lives.pk), "Sentences", "Corrected")
    sample = draw_sample(run, 2, 1, 7, None)
    rate_all(dora, sample, [True, False])
    check_figure_names(page(dora, "edit-sample", sample.pk))
