"""docs/methods.md says what the registry says, and its example is a method that works."""

import asyncio
import re
from pathlib import Path

import pytest

from evaluators.methods import METHODS
from evaluators.methods.base import MODEL_PARAMETERS, PROFILES, Parameter
from evaluators.methods.parameters import read_parameters
from evaluators.prompts.placeholders import placeholders_of
from tests.evaluators.methods.cases import ScriptedModel, make_case

TEMPLATES = Path(__file__).resolve().parent.parent.parent / "evaluators" / "prompts" / "touchstone"
PAGE = (Path(__file__).resolve().parent.parent.parent / "docs" / "methods.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+)` \| (\S*) \| ", re.MULTILINE)


def part(heading: str) -> str:
    """The text under a heading, up to the next one."""
    return re.split(r"^##", PAGE.split(f"{heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def rows(parameters: tuple[Parameter, ...]) -> list[tuple[str, str]]:
    return [(parameter.name, str(parameter.default)) for parameter in parameters]


def test_every_registered_method_has_its_heading_and_no_other_has():
    assert re.findall(r"^### `(.+)`$", PAGE, re.MULTILINE) == list(METHODS)


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
def test_the_parameters_of_a_method_stand_under_its_heading_with_their_defaults(method):
    assert ROW.findall(part(f"### `{method.name}`")) == rows(method.own_parameters)


def test_the_parameters_of_methods_that_call_a_model_stand_there_with_their_defaults():
    assert ROW.findall(part("## Methods that call a model")) == rows(MODEL_PARAMETERS)


def test_the_example_is_a_method_that_works():
    names: dict = {}
    [example] = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    exec(example, names)
    method = names["METHOD"]

    case = make_case(segments=["One two three.", "One two.", ""])
    outcomes = asyncio.run(method.build(read_parameters(method, {"longest": "2"}))(case, ScriptedModel("")))

    assert [getattr(outcome, "value", "skipped") for outcome in outcomes] == ["not_supported", "supported", "skipped"]


def test_the_templates_stand_there_with_their_placeholders():
    documented = {}
    for cells in re.findall(r"^\| (`.+?) \| .+? \| (.+) \|$", part("### Templates"), re.MULTILINE):
        for template in re.findall(r"`(\w+)`", cells[0]):
            documented[template] = set(re.findall(r"`\$(\w+)`", cells[1]))
    used = {
        template.stem: set(re.findall(r"\$([a-z_]+)", template.read_text(encoding="utf-8")))
        for template in TEMPLATES.glob("*.txt")
    }
    assert documented == used == {name: placeholders_of(name) for name in used}


def test_every_profile_has_its_row_and_its_column():
    assert set(PROFILES) <= set(re.findall(r"^\| `([\w-]+)` \| ", part("## Profiles"), re.MULTILINE))
    [heading] = re.findall(r"^\| method \| step \|(.+)$", part("## Profiles"), re.MULTILINE)
    assert set(re.findall(r"`([\w-]+)`", heading)) == set(PROFILES)
