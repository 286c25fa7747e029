"""The arrows between rooms, and between folders, point one way (docs/data-flow.md)."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Each room may import the rooms after it. A room that does not exist yet is passed over.
ORDER = (
    "config",
    "health",
    "api",
    "factor",
    "evaluators",
    "annotate",
    "ratings",
    "knowledge",
    "llm",
    "jobs",
    "backup",
    "audit",
    "stats",
    "core",
)
MAY_IMPORT = {room: set(ORDER[place + 1 :]) for place, room in enumerate(ORDER)} | {"client": set()}
ROOMS = [room for room in MAY_IMPORT if (ROOT / room).is_dir()]

# The modules of core that are made for Django's settings, cache, forms, addresses, requests, answers and migrations.
DJANGO_OF_CORE = {
    "core/add_fields.py",
    "core/admin.py",
    "core/caching.py",
    "core/counters.py",
    "core/create_models.py",
    "core/together.py",
    "core/downloads.py",
    "core/emails.py",
    "core/messages.py",
    "core/environment.py",
    "core/form_fields.py",
    "core/page_paths.py",
    "core/requests.py",
    "core/table_response.py",
    "core/uncited.py",
    "core/uploads.py",
}

# Folders and files of other rooms that compute and never touch the database or the web.
PURE = [
    "evaluators/methods",
    "factor/selecting",
    "factor/generating",
    "factor/choosing",
]
PURE_FILES = [
    "knowledge/bm25.py",
    "knowledge/index_build.py",
    "knowledge/marking.py",
    "knowledge/passages.py",
    "knowledge/source_index.py",
    "knowledge/words.py",
    "evaluators/combinations/candidates.py",
    "ratings/draw.py",
    "annotate/statistics/citations.py",
    "annotate/segments/cutting.py",
    "factor/validation/outcome.py",
    "factor/validation/reading.py",
    "factor/csv_format/columns.py",
    "factor/csv_format/read.py",
    "factor/csv_format/style.py",
    "factor/applicability/link_words.py",
    "factor/filtering/decide.py",
    "factor/filtering/sentence_pairs.py",
    "factor/filtering/settings.py",
    "factor/perplexity/dates.py",
    "factor/perplexity/windows.py",
    "factor/retrieval/model.py",
    "factor/retrieval/strides.py",
    "factor/language_models/tokens.py",
]


def imported_modules(path: Path) -> set[str]:
    """Full names of the modules a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
    return names


def python_files(folder: str) -> list[Path]:
    return [path for path in (ROOT / folder).rglob("*.py") if "migrations" not in path.parts]


def imports_of(files: list[Path]) -> Iterator[tuple[str, str]]:
    """Each file with each module that it imports, the file as a path from the root."""
    for path in files:
        for module in imported_modules(path):
            yield str(path.relative_to(ROOT)), module


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_the_rooms_below_it(room: str) -> None:
    forbidden = set(MAY_IMPORT) - MAY_IMPORT[room] - {room}
    wrong = {
        f"{file} imports {module}"
        for file, module in imports_of(python_files(room))
        if module.split(".")[0] in forbidden and not module.startswith("config.celery")
    }
    assert wrong == set()


def test_core_and_what_computes_do_not_import_django() -> None:
    of_core = [path for path in python_files("core") if str(path.relative_to(ROOT)) not in DJANGO_OF_CORE]
    files = of_core + [path for folder in PURE for path in python_files(folder)] + [ROOT / name for name in PURE_FILES]
    assert len(files) > 10
    wrong = {
        f"{file} imports {module}"
        for file, module in imports_of(files)
        if module.split(".")[0] in {"django", "celery"} or module.endswith(".models")
    }
    assert wrong == set()


def test_stats_imports_nothing_but_numpy_scipy_and_core() -> None:
    known = {*sys.stdlib_module_names, "numpy", "scipy", "core", "stats"}
    wrong = {
        f"{file} imports {module}"
        for file, module in imports_of(python_files("stats"))
        if module.split(".")[0] not in known
    }
    assert wrong == set()


def test_stats_is_imported_without_django() -> None:
    """A fresh interpreter without settings, as a notebook is."""
    modules = [f"stats.{path.stem}" for path in python_files("stats") if path.stem != "__init__"]
    code = f"import sys, {', '.join(modules)}; assert 'django' not in sys.modules"
    without = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=without, check=True, timeout=60)


@cache
def folder_imports() -> dict[str, set[str]]:
    """The other folders that each folder imports from; imports inside functions count. A folder has .py files."""
    files = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for room in ROOMS
        for path in python_files(room)
    }
    folder = {module: str(path.parent.relative_to(ROOT)) for module, path in files.items()}
    edges: dict[str, set[str]] = {name: set() for name in folder.values()}
    for module, path in files.items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                names = [name if name in files else node.module or "" for name in names]
            else:
                continue
            edges[folder[module]] |= {folder[name] for name in names if name in files}
    return {name: imported - {name} for name, imported in edges.items()}


def reachable(start: str) -> set[str]:
    """The folders that this one imports from, directly or through others."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        new = folder_imports()[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def circles(room: str) -> set[frozenset[str]]:
    """Each set of folders of a room that reach each other."""
    of_room = [name for name in folder_imports() if name.split("/")[0] == room]
    reached = {name: reachable(name) for name in of_room}
    return {
        frozenset(other for other in of_room if other in reached[name] and name in reached[other])
        for name in of_room
        if name in reached[name]
    }


@pytest.mark.parametrize("room", ROOMS)
def test_folders_import_each_other_in_no_circle(room: str) -> None:
    assert [sorted(circle) for circle in circles(room)] == []


def test_the_folders_of_annotate_are_listed_in_the_order_of_their_imports() -> None:
    """docs/data-flow.md: a folder of the list imports those above it."""
    text = (ROOT / "docs/data-flow.md").read_text().partition("## The folders of annotate")[2].partition("\n## ")[0]
    listed = [name for line in re.findall(r"^    (\S.*?)  ", text, re.M) for name in line.split(", ")]
    place = {f"annotate/{name}": number for number, name in enumerate(listed)}
    unordered = {"annotate", "annotate/management", "annotate/management/commands"}
    of_room = {name for name in folder_imports() if name.startswith("annotate")} - unordered
    assert of_room - set(place) == set()
    wrong = {
        f"{name} imports {other}"
        for name in of_room
        for other in folder_imports()[name] & of_room
        if place[other] > place[name]
    }
    assert wrong == set()
