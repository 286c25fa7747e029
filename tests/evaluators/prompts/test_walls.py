"""A prompt set belongs to a dataset, or is shared on purpose: no name crosses from one dataset to another."""

import io
from importlib import import_module
from urllib.parse import quote

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.models import PromptSet, Role
from annotate.prompt_sets.sets import all_sets, find_set
from annotate.prompt_sets.upload import store_set
from evaluators.models import Evaluator, Run
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.templates import PromptError
from tests.factories import make_dataset, make_person, make_response


class AppsThen:
    """The tables as that migration finds them, when prompt sets were of evaluators."""

    @staticmethod
    def get_model(app, model):
        return apps.get_model("annotate" if model == "PromptSet" else app, model)


TURNS = b"== user\nMine: $question $segments"
OTHERS = b"== user\nTheirs: $question $segments"


@pytest.fixture
def lab(db):
    return make_dataset()


@pytest.fixture
def other(db):
    return make_dataset("other")


def upload(dataset, content, name="mine", by=None):
    return store_set(dataset, name, [("felm_segment.txt", io.BytesIO(content))], by)


def test_another_datasets_upload_of_the_name_changes_nothing_here(lab, other):
    own = upload(lab, TURNS)
    upload(other, OTHERS)
    assert find_set(lab, "mine").name == str(own)
    assert find_set(lab, "mine").version == find_set(other, "mine").version == 1


def test_another_datasets_set_is_not_found_by_name_or_hash(lab, other):
    theirs = upload(other, OTHERS)
    for name in ("mine", str(theirs)):
        with pytest.raises(PromptError, match="There is no prompt set"):
            find_set(lab, name)
    assert [each.origin for each in all_sets(lab)] == ["project"]


def test_ones_own_set_comes_before_a_shared_one_of_the_name(lab, other):
    shared, own = upload(None, OTHERS), upload(lab, TURNS)
    assert find_set(lab, "mine").name == str(own)
    assert find_set(other, "mine").name == str(shared)
    assert find_set(lab, str(shared)).origin == "shared"


def test_a_run_does_not_take_another_datasets_set(lab, other, model):
    make_response(lab)
    theirs = upload(other, OTHERS)
    for name in ("mine", str(theirs)):
        with pytest.raises(RunError, match="There is no prompt set"):
            create_run(lab, "felm-segment", model="m", parameters={"prompts": name})
    with pytest.raises(CommandError, match="There is no prompt set"):
        call_command("evaluate", "lab", "felm-segment", model="m", param=["prompts=mine"])
    assert not Run.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_worker_reads_the_templates_of_the_runs_own_dataset(model):
    lab, other = make_dataset(), make_dataset("other")
    make_response(lab)
    upload(lab, TURNS)
    run = create_run(lab, "felm-segment", model="m", parameters={"prompts": "mine"}).run
    upload(other, OTHERS)
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.FINISHED, run.error
    [call] = run.predictions.first().calls.all()
    assert call.request["messages"][0]["content"].startswith("Mine:")


def test_pages_neither_show_nor_list_another_datasets_set(client, lab, other):
    theirs = upload(other, OTHERS)
    client.force_login(make_person("rhea", lab, Role.RESEARCHER))
    assert client.get(reverse("prompt-set", args=[lab.pk]) + f"?set={quote(str(theirs))}").status_code == 404
    assert client.get(reverse("prompt-set", args=[lab.pk]) + "?set=touchstone&against=mine").status_code == 404
    assert str(theirs) not in client.get(reverse("prompt-sets", args=[lab.pk])).content.decode()
    assert str(theirs) not in client.get(reverse("run-new", args=[lab.pk]) + "?method=felm-segment").content.decode()


def test_an_administrator_shares_a_copy_and_nobody_else_does(client, lab, other):
    own = upload(lab, TURNS)
    share, body = reverse("prompt-set-share", args=[lab.pk]), {"set": str(own)}
    client.force_login(make_person("rhea", lab, Role.RESEARCHER))
    assert client.post(share, body).status_code == 403
    boss = make_person("boss")
    boss.is_superuser = True
    boss.save()
    client.force_login(boss)
    assert client.post(share, body).status_code == 302
    assert find_set(other, "mine").name == str(own)
    assert PromptSet.objects.filter(dataset=lab).get() == own
    assert client.post(reverse("prompt-set-share", args=[other.pk]), body).status_code == 404


def test_earlier_uploads_go_to_the_datasets_that_used_them(lab, other):
    migration = import_module("evaluators.migrations.0003_prompt_set_datasets")
    rhea, stranger = make_person("rhea", other, Role.RESEARCHER), make_person("stranger", lab)
    used, both, unused = upload(None, TURNS), upload(None, OTHERS), upload(None, TURNS + b"!", by=rhea)
    nobodys = upload(None, TURNS + b"?", by=stranger)
    for dataset, stored in [(lab, used), (lab, both), (other, both)]:
        evaluator, _ = Evaluator.objects.get_or_create(
            name=str(stored), defaults={"parameters": {"prompts": str(stored)}}
        )
        Run.objects.create(evaluator=evaluator, dataset=dataset)
    date = both.uploaded_at

    migration.give_to_datasets(AppsThen, None)

    kept = PromptSet.objects.order_by("version", "dataset").values_list("dataset", "version", "hash")
    assert sorted(kept, key=str) == sorted(
        [
            (lab.pk, 1, used.hash),
            (lab.pk, 2, both.hash),
            (other.pk, 2, both.hash),
            (other.pk, 3, unused.hash),
            (None, 4, nobodys.hash),
        ],
        key=str,
    )
    assert set(PromptSet.objects.filter(hash=both.hash).values_list("uploaded_at", flat=True)) == {date}
