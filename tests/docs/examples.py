"""The Python examples of the docs: every block that begins with ```python. Those of CONTRIBUTING are files of its
walk-throughs."""

import re
from dataclasses import dataclass
from textwrap import dedent

from tests.docs.tree import ROOT, files

PAGES = [path.relative_to(ROOT).as_posix() for path in files(".md")]
WALK_THROUGHS = "CONTRIBUTING.md"
# A heading, or a block of code. A heading inside a block is code.
PIECE = re.compile(r"^(#{1,4}) ([^\n]+)$|^( *)```(\w*)\n(.*?)^\3```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\d+\. `([\w./]+)`(.*?)(?=^\d+\. |^\w|\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^   ```(\w+)\n(.*?)^   ```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """part: the heading of the second level that it stands under. heading: the nearest one of any level."""

    part: str
    heading: str
    code: str


def examples(page: str) -> list[Example]:
    """Those of a page, which is named by its path in the project, in order."""
    found: list[Example] = []
    part = heading = ""
    for level, title, _, language, code in PIECE.findall((ROOT / page).read_text(encoding="utf-8")):
        if level:
            heading = title
            part = title if len(level) <= 2 else part
        elif language == "python":
            found.append(Example(part, heading, dedent(code)))
    return found


def example(page: str, part: str) -> str:
    """The code of the only example of the part."""
    [found] = [each.code for each in examples(page) if each.part == part]
    return found


def steps_of(title: str) -> list[tuple[str, str, str]]:
    """The blocks of the walk-through's steps: the file of each, its language, and its text."""
    section = (ROOT / WALK_THROUGHS).read_text(encoding="utf-8").split(f"## {title}\n")[1].split("\n## ")[0]
    steps = STEP.findall(section)
    assert steps, title
    return [(path, language, dedent(block)) for path, text in steps for language, block in BLOCK.findall(text)]
