"""A benchmark is made with the words of a prompt set, all of it with the same."""

import io

import pytest
from django.core.management import call_command

from annotate.models.prompt_set import PROJECT_SET
from annotate.prompt_sets.sets import find_set
from annotate.prompt_sets.upload import store_set
from factor.building.build_job import BuildJob
from factor.filtering.settings import ContradictionFilter, FilterSettings, FluencyFilter
from factor.models import BenchmarkBuild
from jobs.errors import StartError
from jobs.work import work_on
from llm.models import Call
from llm.templates import parse_template
from tests.factor.building.corpus import begin, work

pytestmark = pytest.mark.django_db

NAMES = {f"factor_{kind}" for kind in ("predicate", "entity", "circumstance", "coreference", "link")}
JUDGED = FilterSettings(
    contradiction=ContradictionFilter(by="judge", model="judge"), fluency=FluencyFilter(by="judge", model="judge")
)
MINE = {
    **{name: f"== user\n{name}\nSentence: $sentence\n\nWrite $wanted." for name in NAMES},
    "factor_judge_contradiction": "== user\nMine. $premise $hypothesis\nStatement: It contradicts.\nTrue or False?",
    "factor_judge_fluency": "== user\nMine. $near $sentence\nStatement: It is fluent.\nTrue or False?",
}


def upload(**templates):
    """Shared with every dataset, as the tests' dataset is made with the build."""
    files = [(f"{name}.txt", io.BytesIO(text.encode())) for name, text in templates.items()]
    return store_set(None, "mine", files, None)


def test_contradictions_and_judges_are_asked_in_the_words_of_the_set(model):
    stored = upload(**MINE)
    build = work(begin(prompts="mine", filters=JUDGED))
    assert (build.state, build.prompts) == ("finished", str(stored))
    assert build.templates == {name: parse_template(text, name).hash for name, text in MINE.items()}
    openings = {call.request["messages"][0]["content"].split()[0] for call in Call.objects.all()}
    assert openings <= {*NAMES, "Mine."}
    assert {"factor_predicate", "Mine."} <= openings


def test_without_a_judge_its_templates_are_not_needed(model):
    upload(**{name: MINE[name] for name in NAMES})
    assert set(begin(prompts="mine").templates) == NAMES


def test_with_a_judge_a_set_without_its_template_is_refused(model):
    upload(**{name: MINE[name] for name in NAMES})
    with pytest.raises(StartError, match=r"The prompt set 'mine@.*' has no template 'factor_judge_contradiction'"):
        begin(prompts="mine", filters=JUDGED)


def test_a_template_that_changed_meanwhile_ends_the_work_and_is_named(model, tmp_path, settings):
    settings.PROMPTS_DIR = tmp_path
    (tmp_path / "ours").mkdir()
    for name, text in find_set(None, PROJECT_SET).templates.items():
        (tmp_path / "ours" / f"{name}.txt").write_text(text)
    build = begin(prompts="ours")
    (tmp_path / "ours" / "factor_entity.txt").write_text("== user\n$sentence")
    work_on(BuildJob(), build.pk)
    build.refresh_from_db()
    assert build.state == BenchmarkBuild.State.STOPPED
    assert "The prompt template factor_entity of the set ours has changed since the benchmark was begun" in build.error
    assert not Call.objects.exists()


def test_the_command_takes_the_set_and_says_what_was_sent(model, capsys):
    stored = upload(**MINE)
    build = begin()  # makes dataset and source
    words = ("--source", "lives", "--model", "tiny", "--param", "prompts=mine", "--wait", "--json")
    call_command("make_benchmark", build.benchmark.dataset.name, "two", *words)
    assert f'"set": "{stored}"' in capsys.readouterr().out
