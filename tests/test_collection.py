"""Every process collects all tests: what takes long to import is imported by the tests that need it."""

import re

import pytest

from tests.docs.tree import ROOT

HEAVY = (
    *("altair", "compose_spec", "datasets", "inspect_ai", "krippendorff", "mlcroissant", "nltk", "schemathesis"),
    *("pandas", "scipy.optimize", "scipy.stats", "sklearn", "torch", "transformers"),
)
IMPORTED = re.compile(rf"^(?:import|from) (?:{'|'.join(map(re.escape, HEAVY))})\b|^from scipy import", re.MULTILINE)
# One begins processes that have imported all of it, the others have such a line in a text.
OTHERWISE = {ROOT / "tests" / name for name in ("libraries.py", "client/documented.py", "core/test_light_nltk.py")}


def test_no_module_of_tests_imports_a_heavy_library() -> None:
    modules = [path for path in (ROOT / "tests").rglob("*.py") if path not in OTHERWISE]
    found = [path for path in modules if IMPORTED.search(path.read_text(encoding="utf-8"))]
    assert [path.relative_to(ROOT).as_posix() for path in found] == []


@pytest.mark.parametrize("line", ["import torch", "from sklearn.metrics import f1_score", "from scipy import stats"])
def test_so_it_would_be_found(line: str) -> None:
    assert IMPORTED.search(f'"""What is judged."""\n\n{line}\n')
    assert not IMPORTED.search(f"def test() -> None:\n    {line}\n")
