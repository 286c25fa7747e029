"""Small files of every format, written for the tests."""

import json
from pathlib import Path
from typing import Any

Fields = dict[str, Any]


def felm_row(index: str = "7", **changes: object) -> Fields:
    """Two segments about the moon: the first correct, the second an error of knowledge with a comment and a source."""
    row: Fields = {
        "index": index,
        "domain": "science",
        "source": "written for the tests",
        "prompt": "What is the moon?",
        "response": "The moon goes round the earth. It is made of cheese.",
        "segmented_response": ["The moon goes round the earth.", "It is made of cheese."],
        "labels": [True, False],
        "comment": ["", "It is made of rock."],
        "type": [None, "knowledge_error"],
        "ref": ["https://example.org/moon"],
        "ref_contents": ["The moon is a ball of rock."],
    }
    return {**row, **changes}


def sentence(text: str, human: object = None, model: object = None, relevant: bool = True) -> Fields:
    """A sentence of FActScore's `annotations`; `human` as [(text, label)], `model` as [text], or what stands there."""
    if isinstance(human, list):
        human = [{"text": fact, "label": label} for fact, label in human]
    if isinstance(model, list):
        model = [{"text": fact} for fact in model]
    return {"text": text, "is-relevant": relevant, "model-atomic-facts": model, "human-atomic-facts": human}


def factscore_row(topic: str = "Ada Byron", **changes: object) -> Fields:
    """A biography of two sentences, the second not relevant."""
    row: Fields = {
        "input": f"Question: Tell me a bio of {topic}.",
        "output": f"{topic} wrote the first program. Ask me more.",
        "topic": topic,
        "cat": ["rare", "Europe/Middle East"],
        "annotations": [
            sentence(
                f"{topic} wrote the first program.",
                human=[(f"{topic} wrote a program.", "S"), ("It was the first program.", "NS")],
                model=[f"{topic} wrote the first program."],
            ),
            sentence("Ask me more.", model=["More can be asked."], relevant=False),
        ],
    }
    return {**row, **changes}


def write_rows(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read_back(lines: object) -> list[Fields]:
    return [json.loads(line) for line in lines]  # type: ignore[attr-defined]
