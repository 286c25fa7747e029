"""The code of docs/client.md, and what it runs on."""

import json
from pathlib import Path

from tests.client.conftest import ROOT
from tests.docs.examples import example, examples

PAGE = (ROOT / "docs" / "client.md").read_text(encoding="utf-8")
SCRIPT = example("docs/client.md", "In thirty lines")

DEMO = ROOT / "fixtures" / "demo_felm.jsonl"
MODEL = '"openai/gpt-4o-mini"'
# Calls all units correct; a usage, or inspect_ai counts with a table that it fetches.
MOCKED = """
from inspect_ai.model import ModelOutput, ModelUsage, get_model


def answer(messages, *_):
    units = messages[-1].text.partition("Units:")[2].strip().splitlines()
    output = ModelOutput.from_content("mockllm/model", " ".join("C" for _ in units))
    output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
    return output


mocked = get_model("mockllm/model", custom_outputs=answer)
"""


def copy_demo(folder: Path) -> None:
    """The files of the demo that the recipes read."""
    for name in (DEMO.name, "demo_judge_with_evidence.jsonl", "demo_factscore_model-amber.jsonl"):
        (folder / name).write_bytes((ROOT / "fixtures" / name).read_bytes())


def script_for(dataset: str) -> str:
    """The script of thirty lines; its dataset is called so here."""
    return SCRIPT.replace('"FELM"', repr(dataset))


def recipes() -> list[tuple[str, str]]:
    """Title and code of each, in order. The one with inspect_ai asks a model that is made up."""
    found = [(each.heading, each.code) for each in examples("docs/client.md") if each.part == "Recipes"]
    assert sum(MODEL in code for _, code in found) == 1
    return [("A model that is made up", MOCKED), *((title, code.replace(MODEL, "mocked")) for title, code in found)]


def demo_labels() -> list[bool]:
    """Of all segments of the demo: whether they are true."""
    rows = [json.loads(line) for line in DEMO.read_bytes().splitlines()]
    return [label for row in rows for label in row["labels"]]


def always_error_f1() -> float:
    """All is called an error: precision is the share of errors e, recall 1, F1 = 2e / (1 + e)."""
    labels = demo_labels()
    share = labels.count(False) / len(labels)
    return 2 * share / (1 + share)
