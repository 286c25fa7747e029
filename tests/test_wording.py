"""Every wording that is sent to a model is a template of a prompt set (docs/prompts.md, Prompt sets)."""

import ast

from tests.test_rooms import ROOMS, ROOT, python_files

# Modules that send a text of the data, or of nobody: a prompt, a prefix, a text to score, a probe of an endpoint.
WITHOUT_WORDING = {
    "annotate/prompts/ask.py",
    "factor/open_ended/open_ended_job.py",
    "factor/language_models/endpoint.py",
    "llm/probing.py",
    "llm/templates.py",
}


def test_messages_are_made_of_templates_only() -> None:
    writing = {
        str(path.relative_to(ROOT))
        for room in ROOMS
        for path in python_files(room)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Dict) and {"role", "content"} <= {getattr(key, "value", None) for key in node.keys}
    }
    assert writing == WITHOUT_WORDING


def test_texts_of_templates_lie_in_the_prompt_sets() -> None:
    elsewhere = [
        str(path.relative_to(ROOT))
        for room in ROOMS
        for path in (ROOT / room).rglob("*.txt")
        if path.read_text().startswith("== ") and "prompt_sets" not in path.parts
    ]
    assert elsewhere == []
