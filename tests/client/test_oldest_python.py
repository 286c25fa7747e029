"""The client, installed from its folder under the oldest Python that it allows, against a site with a worker."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Site
from tests.client.conftest import ROOT
from tests.client.documented import DEMO, always_error_f1, copy_demo, recipes, script_for
from tests.waiting import LONGEST

CLIENT = ROOT / "client"
[OLDEST] = re.findall(r'^requires-python = ">=(3\.\d+)"$', (CLIENT / "pyproject.toml").read_text(), re.M)
GIVEN = 'import os\n\nurl, token = os.environ["TOUCHSTONE_URL"], os.environ["TOUCHSTONE_TOKEN"]\n'
WHERE = "import sys, touchstone\nprint(sys.version_info[:2], touchstone.__file__)\n"
FIGURES = '\nprint(float(always_error.f1[("segment", "all")]))\n'


def interpreters() -> Iterator[str]:
    """Where the oldest Python may be: on the path, or one of pyenv's versions."""
    if found := shutil.which(f"python{OLDEST}"):
        yield found
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(str(path) for path in pyenv.glob(f"versions/{OLDEST}.*/bin/python{OLDEST}"))


def runs(python: str) -> bool:
    """A shim of pyenv names versions that are not switched on."""
    return subprocess.run([python, "-c", "import venv"], capture_output=True).returncode == 0


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, must_run: bool) -> Path:
    """The programs of a new virtual environment with the client and what all its extras need."""
    python = next((each for each in interpreters() if runs(each)), None)
    if python is None:
        pytest.skip(f"Python {OLDEST} is not installed, neither on the path nor by pyenv")
    folder = tmp_path_factory.mktemp("oldest")
    subprocess.run([python, "-m", "venv", folder / "venv"], check=True)
    programs = folder / "venv" / "bin"
    pip = [programs / "python", "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    ended = subprocess.run([*pip, "--requirement", ROOT / "requirements-client.txt"], capture_output=True, text=True)
    if ended.returncode:
        (pytest.fail if must_run else pytest.skip)(f"what the client needs cannot be installed: {ended.stderr[-500:]}")
    # A copy, for a build leaves folders beside the code.
    shutil.copytree(CLIENT, folder / "client", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", folder / "client"], check=True)
    return programs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy_demo(tmp_path)
    shutil.copy(DEMO, tmp_path / "all.jsonl")
    return tmp_path


def run_code(installed: Path, folder: Path, environment: dict[str, str], *code: str) -> list[str]:
    """The lines that the code prints."""
    (folder / "code.py").write_text("\n".join((GIVEN, *code)), encoding="utf-8")
    return run(folder, environment, installed / "python", "code.py")


def run(folder: Path, environment: dict[str, str], *words: str | Path) -> list[str]:
    own = {name: value for name, value in environment.items() if name != "PYTHONPATH"}
    ended = subprocess.run(words, cwd=folder, env=own, capture_output=True, text=True, timeout=LONGEST)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout.splitlines()


def test_the_recipes_work_under_the_oldest_python(
    site: Site, environment: dict[str, str], installed: Path, folder: Path
) -> None:
    lines = run_code(installed, folder, environment, *(code for _, code in recipes()), WHERE)

    version, where = lines[-1].rsplit(" ", 1)
    assert version == f"({OLDEST.replace('.', ', ')})"
    assert Path(where).is_relative_to(installed.parent)
    judges = folder / "judges.py"
    judges.write_text(dict(recipes())["Judge on another machine"].partition("\n\n\njudge.run")[0], encoding="utf-8")
    printed = run(folder, environment, installed / "touchstone", "evaluate-outside", "judges:judge", "--dataset", "lab")
    assert printed[-1].endswith("of mistrusts figures: finished.")


def test_the_script_of_thirty_lines_works_under_the_oldest_python(
    site: Site, environment: dict[str, str], installed: Path, folder: Path
) -> None:
    *_, figure = run_code(installed, folder, environment, script_for("demo"), FIGURES)
    assert float(figure) == pytest.approx(always_error_f1())
