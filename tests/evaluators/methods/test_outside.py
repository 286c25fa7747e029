"""Methods that come with another package: a real one, as pip would leave it, in a folder on the path."""

import re
import sys

import pytest

from evaluators.methods.outside import outside_methods

SOURCE = """
from evaluators.methods.base import Judgement, Method

def build(parameters):
    async def judge(case, tools):
        return [Judgement(unit, "supported") for unit in case.units]
    return judge

METHOD = Method(name="{name}", title="Optimist", description="Believes everything.", build=build)
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Puts a package with a method of this name, or with this source, where Python finds it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(name="optimist", target="METHOD", source=SOURCE):
        (tmp_path / "optimists.py").write_text(source.format(name=name))
        metadata = tmp_path / "optimists-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: optimists\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[touchstone.methods]\nbelieve = optimists:{target}\n")

    yield install
    sys.modules.pop("optimists", None)


def test_a_method_of_an_installed_package_is_found(install):
    install()
    found = outside_methods(["random"])
    assert (list(found.methods), found.faults) == (["optimist"], {})


@pytest.mark.parametrize(
    ("package", "complaint"),
    [
        ({"name": "random"}, "brings the method 'random', and there is one already"),
        ({"source": "import sys\nsys.exit(3)"}, r"cannot be loaded: SystemExit: 3\."),
        ({"source": "METHOD = 1 / 0"}, r"cannot be loaded: ZeroDivisionError: division by zero\."),
        ({"source": "raise ExceptionGroup('many', [ValueError('one')])"}, r"cannot be loaded: ExceptionGroup: many"),
        ({"source": SOURCE.replace('title="Optimist", ', "")}, "cannot be loaded: TypeError: "),
        ({"target": "METHODS"}, "cannot be loaded"),
        ({"target": "build"}, "leads to function, not to a Method"),
        ({"source": "import nowhere_to_be_found"}, "cannot be loaded: ModuleNotFoundError: No module named"),
        (
            {"source": SOURCE.replace("build=build", "build=build, own_parameters=(1,)")},
            "own_parameters is not a Parameter",
        ),
    ],
)
def test_one_that_cannot_be_registered_is_named_with_its_package(install, package, complaint):
    install(**package)
    found = outside_methods(["random"])
    assert found.methods == {}
    assert re.search(f"of optimists.*{complaint}", found.faults["believe"])
