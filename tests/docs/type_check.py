"""Checks the types in every Python example of the docs, after mypy has checked the project: most is known then.

python -m tests.docs.type_check
"""

import re
import sys
from collections import defaultdict
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory

from tests.docs.examples import PAGES, WALK_THROUGHS, examples
from tests.docs.tree import ROOT

# What a reader of the client's pages has.
OF_THE_READER = "url: str\ntoken: str\n"


def write_modules(folder: Path) -> list[Path]:
    """One for each part of a page, whose examples go on from one another. The files of the walk-throughs are checked in
    their tests."""
    modules: dict[tuple[str, str], str] = defaultdict(str)
    for page in PAGES:
        for each in examples(page) if page != WALK_THROUGHS else ():
            modules[page, each.part] += each.code + "\n"
    for (page, part), code in modules.items():
        name = re.sub(r"\W+", "_", f"example_{page}_{part}").strip("_").lower()
        given = OF_THE_READER if "from touchstone import" in code else ""
        (folder / f"{name}.py").write_text(given + code, encoding="utf-8")
    return sorted(folder.glob("*.py"))


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        sys.exit(run([sys.executable, "-m", "mypy", *write_modules(Path(name))], cwd=ROOT).returncode)
