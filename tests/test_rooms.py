"""The arrows between the rooms point one way (DESIGN: config → factor → evaluators → annotate → knowledge, llm)."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# What each room may import of the others.
MAY_IMPORT = {
    "config": {"factor", "evaluators", "annotate", "knowledge", "llm"},
    "factor": {"evaluators", "annotate", "knowledge", "llm"},
    "evaluators": {"annotate", "knowledge", "llm"},
    "annotate": {"knowledge", "llm"},
    "knowledge": {"llm"},
    "llm": set(),
}

# Folders that compute and never touch the database or the web.
PURE = [
    "evaluators/metrics",
    "evaluators/methods",
    "factor/metrics",
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
    "annotate/agreement/coefficients.py",
    "annotate/agreement/resampling.py",
    "annotate/agreement/wilson.py",
    "annotate/oversight/shares.py",
    "evaluators/combinations/candidates.py",
    "annotate/corpus/citations.py",
    "annotate/corpus/sizes.py",
    "annotate/gold/factscore.py",
    "annotate/gold/grouping.py",
    "annotate/gold/precision.py",
    "annotate/segments/cutting.py",
    "factor/validation/figures.py",
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
    "factor/perplexity/figures.py",
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


@pytest.mark.parametrize("room", [room for room in MAY_IMPORT if (ROOT / room).is_dir()])
def test_a_room_imports_only_the_rooms_below_it(room: str) -> None:
    forbidden = set(MAY_IMPORT) - MAY_IMPORT[room] - {room}
    wrong = {
        f"{path.relative_to(ROOT)} imports {module}"
        for path in python_files(room)
        for module in imported_modules(path)
        if module.split(".")[0] in forbidden and not module.startswith("config.celery")
    }
    assert wrong == set()


def test_what_computes_does_not_import_django() -> None:
    files = [path for folder in PURE for path in python_files(folder)] + [ROOT / name for name in PURE_FILES]
    assert len(files) > 10
    wrong = {
        f"{path.relative_to(ROOT)} imports {module}"
        for path in files
        for module in imported_modules(path)
        if module.split(".")[0] in {"django", "celery"} or module.endswith(".models")
    }
    assert wrong == set()
