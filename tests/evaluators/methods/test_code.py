"""The code of a method: what its hash covers, and that other code makes another run."""

import sys
from io import StringIO

import pytest
from django.core.management import call_command

from evaluators.methods import METHODS
from evaluators.methods.code import describe_method
from evaluators.methods.outside import outside_methods
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from tests.factories import add_gold, make_dataset, make_response

SOURCE = """
from evaluators.methods.base import Judgement, Method

def build(parameters):
    from optimists.words import VALUE
    async def judge(case, tools):
        return [Judgement(unit, VALUE) for unit in case.units]
    return judge

METHOD = Method(name="optimist", title="Optimist", description="Believes everything.", build=build)
"""


@pytest.fixture
def optimist(tmp_path, monkeypatch):
    """An installed package with a method in one module and its words in another; its folder."""
    folder = tmp_path / "optimists"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "judge.py").write_text(SOURCE)
    (folder / "words.py").write_text('VALUE = "supported"\n')
    metadata = tmp_path / "optimists-1.5.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: optimists\nVersion: 1.5\n")
    (metadata / "entry_points.txt").write_text("[touchstone.methods]\nbelieve = optimists.judge:METHOD\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    method = outside_methods([]).methods["optimist"]
    monkeypatch.setitem(METHODS, "optimist", method)
    yield folder
    for name in ("optimists", "optimists.judge", "optimists.words"):
        sys.modules.pop(name, None)


def test_a_package_is_named_with_its_version(optimist):
    described = describe_method(METHODS["optimist"])
    assert (described["package"], described["version"], len(described["hash"])) == ("optimists", "1.5", 64)


def test_a_change_in_a_module_that_is_imported_late_is_a_change(optimist):
    before = describe_method(METHODS["optimist"])["hash"]
    (optimist / "words.py").write_text('VALUE = "not_supported"\n')
    assert describe_method(METHODS["optimist"])["hash"] != before


def test_a_module_that_is_not_imported_does_not_matter(optimist):
    before = describe_method(METHODS["optimist"])["hash"]
    (optimist / "other.py").write_text("")
    assert describe_method(METHODS["optimist"])["hash"] == before


@pytest.mark.parametrize("name", list(METHODS))
def test_every_method_of_the_project_has_a_hash(name):
    described = describe_method(METHODS[name])
    assert (described["package"], len(described["hash"])) == (None, 64)


@pytest.mark.django_db
def test_the_same_code_is_the_same_run_and_other_code_a_new_one(optimist):
    dataset = make_dataset()
    make_response(dataset, ["Snow is white."])
    first = create_run(dataset, "optimist")
    assert not create_run(dataset, "optimist").created
    (optimist / "words.py").write_text('VALUE = "not_supported"\n')
    second = create_run(dataset, "optimist")
    assert second.created
    assert second.run.manifest["method_code"] != first.run.manifest["method_code"]


@pytest.mark.django_db
def test_the_printed_report_names_the_code_of_each_method():
    dataset = make_dataset()
    add_gold(make_response(dataset, ["Snow is white."]).segments.get(), "supported")
    work_on(RunJob(), create_run(dataset, "always-supported").run.pk)
    printed = StringIO()
    call_command("report", dataset.name, stdout=printed)
    code = describe_method(METHODS["always-supported"])["hash"]
    assert f"always-supported             code of this project, {code[:12]}" in printed.getvalue()
