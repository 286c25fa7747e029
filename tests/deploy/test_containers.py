"""Dockerfile, .dockerignore and compose.yaml: by linters, and what no linter knows of Touchstone."""

import copy
import json
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from collections.abc import Callable
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from dj_database_url import parse

from tests.deploy.files import ROOT, compose
from tests.waiting import LONGEST

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
HADOLINT = shutil.which("hadolint", path=str(Path(sys.executable).parent))
OWN = ("prepare", "web", "short", "long", "metrics")
# A version of at least two numbers, never a moving name.
PINNED = re.compile(r"^[a-z]+:\d+\.\d+(\.\d+)?(-\w+)*$")


def lint(text: str) -> subprocess.CompletedProcess[str]:
    assert HADOLINT is not None
    return subprocess.run([HADOLINT, "-"], input=text, capture_output=True, text=True, timeout=LONGEST)


def test_the_linter_finds_no_fault_in_the_dockerfile() -> None:
    done = lint(DOCKERFILE)
    assert done.returncode == 0, done.stdout


def test_the_linter_does_find_faults() -> None:
    assert "DL3006" in lint(DOCKERFILE.replace("FROM ${PYTHON}\n", "FROM debian\n")).stdout


def test_base_images_are_pinned_by_tag() -> None:
    services = compose()["services"]
    images = [service["image"] for name, service in services.items() if name not in OWN]
    images += re.findall(r"^ARG PYTHON=(.+)$", DOCKERFILE, re.MULTILINE)
    assert len(images) == 4
    assert [image for image in images if not PINNED.match(image)] == []


def test_the_image_is_built_in_stages_and_runs_as_a_user_without_rights() -> None:
    stages = re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)[1:]
    assert len(stages) == 2
    assert re.findall(r"^USER (.+)$", stages[-1], re.MULTILINE) == ["10001:10001"]
    assert "apt-get" not in stages[-1]


def test_each_extra_is_an_argument_of_the_build_that_installs_its_list() -> None:
    extras = {path.stem.removeprefix("requirements-") for path in ROOT.glob("requirements-*.txt")}
    extras &= set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"])
    assert {"neural", "gguf", "s3"} <= extras
    assert set(compose()["services"]["web"]["build"]["args"]) == {extra.upper() for extra in extras}
    composition = (ROOT / "compose.yaml").read_text("utf-8")
    build, _ = DOCKERFILE.split("\nFROM ${PYTHON}\n")
    steps = re.split(r"^(?=RUN )", build, flags=re.MULTILINE)
    for extra in extras:
        assert f"ARG {extra.upper()}=false\n" in build
        assert f"{extra.upper()}: ${{{extra.upper()}:-false}}\n" in composition
        [step] = [each for each in steps if f'if [ "${extra.upper()}" = true ]' in each and "pip install" in each]
        assert f"pip install --require-hashes --requirement requirements-{extra}.txt" in step


def test_the_modules_that_the_build_runs_are_there() -> None:
    modules = re.findall(r"python -m (\S+\.\S+)", DOCKERFILE)
    assert modules and [module for module in modules if find_spec(module) is None] == []


def test_all_that_runs_is_sent_to_the_build_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert lines[1] == "*"
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "bench", "client"}
    copied = set(re.findall(r"requirements[\w-]*\.txt", DOCKERFILE))
    assert rooms | copied | {"manage.py", "pyproject.toml", "templates", "static", "fixtures"} <= kept
    assert [name for name in kept if not (ROOT / name).exists()] == []
    secret = ["deploy", "var", ".git", ".venv", "tests"]
    assert [name for name in secret if any(fnmatch(name, pattern) for pattern in kept)] == []


def test_the_composition_keeps_to_its_specification() -> None:
    from compose_spec import PyCompose

    assert set(PyCompose.from_json(json.dumps(compose())).service_names()) == {*OWN, "database", "redis", "proxy"}


def misspell(read: dict[str, Any]) -> None:
    read["services"]["web"]["helthcheck"] = {}


def ask_for_an_unknown_state(read: dict[str, Any]) -> None:
    read["services"]["web"]["depends_on"]["redis"]["condition"] = "sometime"


@pytest.mark.parametrize("spoil", [misspell, ask_for_an_unknown_state])
def test_a_composition_with_a_fault_is_refused(spoil: Callable[[dict[str, Any]], None]) -> None:
    from compose_spec import PyCompose

    read = copy.deepcopy(compose())
    spoil(read)
    with pytest.raises(ValueError, match=r"helthcheck|sometime"):
        PyCompose.from_json(json.dumps(read))


def test_docker_reads_the_composition(tmp_path: Path) -> None:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True).returncode != 0:
        pytest.skip("docker compose is not installed")
    done = subprocess.run(
        [docker, "compose", "--profile", "metrics", "config", "--quiet"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_every_service_has_limits_and_every_one_that_stays_and_answers_a_health_check() -> None:
    services = compose()["services"]
    for name, service in services.items():
        assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}, name
    checked = {name for name, service in services.items() if "healthcheck" in service}
    assert checked == set(services) - {"prepare", "metrics"}


def test_what_is_named_is_declared_and_only_the_proxy_is_reached_from_outside() -> None:
    read = compose()
    services = read["services"]
    for service in services.values():
        assert set(service.get("secrets", ())) <= set(read["secrets"])
        assert set(service["networks"]) <= set(read["networks"])
        assert set(service.get("depends_on", ())) <= set(services)
        named = {volume.partition(":")[0] for volume in service.get("volumes", ()) if not volume.startswith(".")}
        assert named <= set(read["volumes"])
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert read["networks"]["inside"]["internal"] is True


def test_no_secret_stands_in_the_environment() -> None:
    for name in OWN:
        environment = compose()["services"][name]["environment"]
        assert environment["SECRET_KEY_FILE"] == "/run/secrets/secret_key"
        assert environment["DATABASE_URL_FILE"] == "/run/secrets/database_url"
        assert not {"SECRET_KEY", "DATABASE_URL"} & set(environment)


def make_secrets(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ROOT / "deploy" / "secrets.sh", folder], capture_output=True, text=True, timeout=LONGEST)


def test_secrets_are_made_once_and_fit_each_other(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    assert make_secrets(folder).returncode == 0
    made = {path.name: path.read_text() for path in folder.iterdir()}
    assert set(made) == set(compose()["secrets"])
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(made["secret_key"].strip()) >= 50
    database = parse(made["database_url"].strip())
    assert database["PASSWORD"] == made["database_password"].strip()
    service = compose()["services"]["database"]["environment"]
    assert (database["USER"], database["NAME"]) == (service["POSTGRES_USER"], service["POSTGRES_DB"])
    assert database["HOST"] in compose()["services"]

    assert make_secrets(folder).returncode == 0
    assert {path.name: path.read_text() for path in folder.iterdir()} == made


def test_a_lost_password_is_not_made_anew(tmp_path: Path) -> None:
    make_secrets(tmp_path)
    (tmp_path / "database_password").unlink()
    done = make_secrets(tmp_path)
    assert (done.returncode, "put it back" in done.stderr) == (1, True)
    assert not (tmp_path / "database_password").exists()
