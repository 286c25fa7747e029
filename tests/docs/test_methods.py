"""docs/methods.md says what the registry says, and its example is a method that works."""

import asyncio
import re
from pathlib import Path

import pytest

from annotate.models.prompt_set import PROJECT_SET
from annotate.prompt_sets.placeholders import placeholders_of
from annotate.prompt_sets.sets import find_set
from evaluators.methods import EDITORS, METHODS
from evaluators.methods.base import MODEL_PARAMETERS, PROFILES, SEARCH_PARAMETERS, Parameter
from evaluators.methods.parameters import read_parameters
from knowledge.engines.engine import FoundPage
from tests.docs.examples import example
from tests.evaluators.methods.cases import ScriptedModel, make_case

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
PAGE = (DOCS / "methods.md").read_text(encoding="utf-8")
PROMPTS = (DOCS / "prompts.md").read_text(encoding="utf-8")
WEB_SEARCH = (DOCS / "web-search.md").read_text(encoding="utf-8")
EDITING = (DOCS / "editing.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+)` \| (\S*) \| ", re.MULTILINE)


def part(heading: str, page: str = PAGE) -> str:
    """The text under a heading, up to the next one."""
    return re.split(r"^##", page.split(f"{heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def rows(parameters: tuple[Parameter, ...]) -> list[tuple[str, str]]:
    return [(parameter.name, str(parameter.default)) for parameter in parameters]


def test_every_registered_method_has_its_heading_and_no_other_has():
    assert re.findall(r"^### `(.+)`$", PAGE, re.MULTILINE) == list(METHODS)


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
def test_the_parameters_of_a_method_stand_under_its_heading_with_their_defaults(method):
    assert ROW.findall(part(f"### `{method.name}`")) == rows(method.own_parameters)


def test_every_editor_has_its_heading_and_parameters_on_its_page():
    assert re.findall(r"^### `(.+)`$", EDITING, re.MULTILINE) == list(EDITORS)
    for editor in EDITORS.values():
        assert ROW.findall(part(f"### `{editor.name}`", EDITING)) == rows(editor.own_parameters)


def test_the_parameters_of_methods_that_call_a_model_stand_there_with_their_defaults():
    assert ROW.findall(part("## Methods that call a model")) == rows(MODEL_PARAMETERS)


def test_the_parameters_of_methods_that_search_stand_there_with_their_defaults():
    assert ROW.findall(part("# Web search", WEB_SEARCH)) == rows(SEARCH_PARAMETERS)


def test_the_example_of_a_search_engine_is_one_that_works():
    names: dict = {}
    exec(example("docs/web-search.md", "From another package"), names)
    engine = names["ENGINE"]

    assert engine.request("river", 3, "k").headers == {"Authorization": "Bearer k"}
    assert engine.read({"hits": [{"name": "A", "address": "https://a.example/", "summary": "b"}]}) == [
        FoundPage("A", "https://a.example/", "b")
    ]


def test_the_example_is_a_method_that_works():
    names: dict = {}
    exec(example("docs/methods.md", "Adding one"), names)
    method = names["METHOD"]

    case = make_case(segments=["One two three.", "One two.", ""])
    outcomes = asyncio.run(method.build(read_parameters(method, {"longest": "2"}))(case, ScriptedModel("")))

    assert [getattr(outcome, "value", "skipped") for outcome in outcomes] == ["not_supported", "supported", "skipped"]


def test_the_templates_stand_there_with_their_placeholders():
    documented = {}
    for cells in re.findall(r"^\| (`.+?) \| .+? \| (.+) \|$", PROMPTS.split("### Templates\n", 1)[1], re.MULTILINE):
        for template in re.findall(r"`(\w+)`", cells[0]):
            documented[template] = set(re.findall(r"`\$(\w+)`", cells[1]))
    used = {name: set(re.findall(r"\$([a-z_]+)", text)) for name, text in find_set(None, PROJECT_SET).templates.items()}
    assert documented == {name: placeholders_of(name) for name in used}
    unused = {name: documented[name] - fields for name, fields in used.items() if fields != documented[name]}
    assert unused == {"factor_link": {"context"}}


def test_every_profile_has_its_row_and_its_column():
    assert set(PROFILES) <= set(re.findall(r"^\| `([\w-]+)` \| ", part("## Profiles"), re.MULTILINE))
    [heading] = re.findall(r"^\| method \| step \|(.+)$", part("## Profiles"), re.MULTILINE)
    assert set(re.findall(r"`([\w-]+)`", heading)) == set(PROFILES)
