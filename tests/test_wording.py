"""Every wording that is sent to a model is a template of a prompt set (docs/prompts.md, Prompt sets). Pages, help texts
and docs have one word for a thing, and not the one that it had before."""

import ast
from collections.abc import Iterator

import pytest

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


# What pages said once, and nothing shown says any more.
OLD_WORDS = (
    *("Had all been read", "Parted by", "In force", "gold in force", "Against gold", "Is 0.6 right?", "short of F1 1"),
    *("over-called", "Over-called", "under-called", "Under-called", "profile: repaired", "profile repaired"),
)
UNREAD = "if unread answers were all wrong / all right"
# What they say instead, where it is said.
WORDS = {
    "templates/comparison/choose.html": ("Split by",),
    "templates/comparison/leaderboard.html": ("Current gold",),
    "evaluators/run_page/responses.py": ("Disagrees with gold",),
    "templates/thresholds/finding.html": ("Would another threshold do better?",),
    "templates/stages/chain.html": ("Remaining error",),
    "templates/subjects/estimators.html": ("Wrongly supported", "Wrongly rejected", f"F1 {UNREAD}"),
    "docs/subjects.md": ("wrongly supported", "wrongly rejected"),
    "templates/combinations/best.html": ("Ties with others: any of these is as good",),
    "templates/combinations/row.html": (f"F1 {UNREAD}",),
    "templates/comparison/detection.html": (f"F1 {UNREAD}",),
    "templates/comparison/evaluators.html": (UNREAD,),
    "templates/comparison/grid.html": (UNREAD,),
}


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def texts_of_code() -> Iterator[tuple[str, str]]:
    """The texts in the code of the rooms by its path, without docstrings."""
    for room in ROOMS:
        for path in python_files(room):
            tree = ast.parse(path.read_text())
            said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
                    yield str(path.relative_to(ROOT)), on_one_line(node.value)


def shown_texts() -> Iterator[tuple[str, str]]:
    """What people read, by path: templates, docs with the texts of the API, and texts in code (titles, help texts)."""
    yield from texts_of_code()
    for pattern in ("templates/**/*.html", "docs/**/*.md", "docs/openapi.json", "README.md"):
        for path in ROOT.glob(pattern):
            yield str(path.relative_to(ROOT)), on_one_line(path.read_text(encoding="utf-8"))


def test_old_words_are_gone() -> None:
    found = [(path, old) for path, text in shown_texts() for old in OLD_WORDS if old in text]
    assert found == []


@pytest.mark.parametrize(("path", "words"), WORDS.items())
def test_new_words_stand(path: str, words: tuple[str, ...]) -> None:
    text = on_one_line((ROOT / path).read_text(encoding="utf-8"))
    assert [each for each in words if each not in text] == []
