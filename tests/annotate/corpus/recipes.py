"""Recipes and rows of data sets of others, written for the tests."""

from typing import Any

from annotate.corpus.checking import FormatReader
from annotate.corpus.formats import mapped_format
from annotate.corpus.recipe import Recipe
from annotate.corpus.recipe_parser import parse_recipe
from annotate.corpus.rows import ResponseRow
from core.errors import RowError

Fields = dict[str, Any]

TRUTH = {"true": "supported", "false": "not_supported"}


def claims_recipe(**changes: object) -> Fields:
    """Claims in a list of the row, without their sentences."""
    response: Fields = {
        "prompt": "question",
        "text": "answer",
        "claims": {"each": "claims.*", "text": "claim", "label": {"at": "ok", "values": TRUTH}},
    }
    return {"recipe": 1, "title": "Moon claims", "responses": {**response, **changes}}


def claims_row(**changes: object) -> Fields:
    row: Fields = {
        "question": "What is the moon?",
        "answer": "The moon goes round the earth. It is made of cheese.",
        "claims": [
            {"claim": "The moon goes round the earth.", "ok": True},
            {"claim": "The moon is made of cheese.", "ok": False},
        ],
    }
    return {**row, **changes}


def sentences_recipe() -> Fields:
    """Sentences in an object, each with lists of the same length: claims, labels, passages and their stances."""
    return {
        "recipe": 1,
        "title": "Moon sentences",
        "responses": {
            "index": "id",
            "prompt": "question",
            "text": "answer",
            "model": {"value": "moon-1"},
            "keep": ["verdict"],
            "sentences": {
                "each": "sentences.*",
                "text": "text",
                "keep": ["edited"],
                "claims": {
                    "each": {
                        "zip": {"text": "claims", "label": "labels", "passages": "passages", "stances": "stances?"}
                    },
                    "text": "text",
                    "label": {
                        "at": "label",
                        "values": {
                            "yes": "supported",
                            "no": "not_supported",
                            "unclear": "not_enough_evidence",
                            "opinion": "not_checkworthy",
                        },
                    },
                    "evidence": {
                        "each": {"zip": {"text": "passages", "stance": "stances?"}},
                        "text": "text",
                        "url": {"link_in": "text"},
                        "stance": {"at": "stance", "values": {"for": "supports", "against": "refutes", "null": "none"}},
                        "skip": ["none found"],
                    },
                },
            },
        },
    }


def sentences_row(**changes: object) -> Fields:
    row: Fields = {
        "id": 7,
        "question": "What is the moon?",
        "answer": "It goes round the earth. I like it.",
        "verdict": False,
        "sentences": {
            "s1": {
                "text": "It goes round the earth.",
                "edited": "The moon goes round the earth.",
                "claims": ["The moon goes round the earth.", "The moon is far."],
                "labels": ["yes", "unclear"],
                "passages": [
                    ["The moon orbits. See https://example.org/moon.", "none found"],
                    ["It is 384,000 km away."],
                ],
                "stances": [["for", "against"], ["for"]],
            },
            "s2": {
                "text": "I like it.",
                "edited": "",
                "claims": ["The moon is nice."],
                "labels": ["opinion"],
                "passages": [["A passage."]],
                "stances": [],
            },
        },
    }
    return {**row, **changes}


def recipe_of(document: Fields) -> Recipe:
    return parse_recipe(document, "recipe.json")


def read_all(path: Any, document: Fields, subject: str = "") -> list[tuple[int, ResponseRow | RowError]]:
    return list(FormatReader(path, mapped_format(recipe_of(document)), subject))


def read_one(path: Any, document: Fields, subject: str = "") -> ResponseRow:
    ((_, row),) = read_all(path, document, subject)
    assert isinstance(row, ResponseRow), row
    return row


def fault_of(path: Any, document: Fields) -> str:
    ((_, row),) = read_all(path, document)
    assert isinstance(row, RowError)
    return str(row)
