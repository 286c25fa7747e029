"""The docs say what the code does: commands, environment variables, dependencies, links."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand

from tests.docs.documented import (
    documented_options,
    ends_as,
    options_of,
    part,
    shared_key_patterns,
    shared_keys,
)

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = ("config", "health", "llm", "knowledge", "annotate", "evaluators", "factor", "backup")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "fixtures").glob("README.md")])

READ_BY_SETTINGS = re.compile(r'\bread_[a-z_]+\(\s*"([A-Z_]+)"')
NAMED_VARIABLE = re.compile(r'\b[A-Z_]*VARIABLE = "([A-Z_]+)"')
READ_ELSEWHERE = re.compile(r'\benviron(?:\.get\(|\[)\s*"([A-Z_]+)"')
FIRST_CELL = re.compile(r"^\| (`.+?`|[\w-]+)(?:, .+?)? \|", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
ROW_OF_TABLES = re.compile(r"^\| [^|]+ \| ([A-Z][^|]+) \| `(\w+)` \|$", re.MULTILINE)
# A name of a table that consists of several words, in running text.
COMPOUND = re.compile(r"(?<![\w`.])(?:[A-Z][a-z]+){2,}\b")
FENCED = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)


def first_cells(page: str, heading: str = "") -> set[str]:
    """What the rows of a page's tables are about, or of those under a heading."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    if heading:
        text = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = FIRST_CELL.findall(text)
    return {cell.strip("`").split()[0] for cell in cells}


def own_commands() -> set[str]:
    return {name for name, room in get_commands().items() if room in ROOMS}


def test_every_command_is_documented_and_every_documented_command_is_there():
    headings = re.findall(r"^## `([a-z_]+)", (ROOT / "docs" / "commands.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(headings) == sorted(own_commands())


def own_options(name: str) -> dict[str, object]:
    """The options of a command that Django does not add to every one, with their defaults."""
    own = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    common = set(BaseCommand().create_parser("manage.py", name)._option_string_actions)
    options = {text: action for text, action in own._option_string_actions.items() if text not in common}
    return {text: action.default for text, action in options.items()}


@pytest.mark.parametrize("name", sorted(own_commands()))
def test_every_option_of_a_command_is_listed_with_its_default(name):
    listed, options = documented_options(name), own_options(name)
    assert set(listed) == set(options)
    for option, default in options.items():
        if isinstance(default, int | float) and not isinstance(default, bool):
            assert listed[option] == str(default), option


def test_every_shared_option_belongs_to_several_commands():
    named = Counter(option for name in own_commands() for option in documented_options(name))
    assert [option for option in options_of(part("Shared options")) if named[option] < 2] == []


def test_the_list_of_shared_keys_explains_those_of_several_commands_and_no_others():
    ends = shared_key_patterns()
    keys = {name: shared_keys(name) for name in own_commands()}
    assert {key for each in keys.values() for key in each if not any(ends_as(key, end) for end in ends)} == set()
    uses = {end: [key for each in keys.values() for key in each if ends_as(key, end)] for end in ends}
    assert [end for end, found in uses.items() if len(found) < 2] == []


def test_the_deployment_page_lists_the_variables_that_are_read_and_no_others():
    sources = [path.read_text(encoding="utf-8") for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    patterns = (READ_BY_SETTINGS, NAMED_VARIABLE, READ_ELSEWHERE)
    read = {name for text in sources for pattern in patterns for name in pattern.findall(text)}
    assert first_cells("deploy.md", "Variables") - {"variable"} == read


def test_every_dependency_has_its_reason_and_no_other_package_has():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"].get("optional-dependencies", {})
    groups = [project["project"]["dependencies"], *extras.values(), *project["dependency-groups"].values()]
    names = {re.match(r"[\w-]+", line)[0] for group in groups for line in group}
    assert first_cells("dependencies.md") - {"package"} == names


def test_every_table_that_the_way_of_the_data_names_is_there():
    page = (ROOT / "docs" / "data-flow.md").read_text(encoding="utf-8")
    named = {(room, name) for names, room in ROW_OF_TABLES.findall(page) for name in names.split(", ")}
    assert named
    assert named - {(model._meta.app_label, model.__name__) for model in apps.get_models()} == set()
    assert set(COMPOUND.findall(page)) - {model.__name__ for model in apps.get_models()} == {"NumPy"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page):
    for target in LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
        if not target.startswith(("http://", "https://", "#")):
            assert (page.parent / target.split("#")[0]).exists(), f"{page.name} links to {target}"


def test_the_commands_named_in_the_docs_are_there():
    named = {name for page in PAGES for name in re.findall(r"manage\.py ([a-z_]+)", page.read_text(encoding="utf-8"))}
    assert named <= set(get_commands())
