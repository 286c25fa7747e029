"""Time and memory of importing claims by a recipe into a fresh SQLite database: as atomic facts, their alignment to
sentences included, or as claims against a source.

    .venv/bin/python -m bench.import_claims [against]

Prints for 1,000, 10,000 and 100,000 claims, ten a response and each with a passage (against a source: with ten of the
twenty that its response has): seconds of the whole command, seconds of processor time, an import of ten claims left
out, for each claim relative to the first row (1 = cost grows linearly; other work on the machine does not count); peak
memory of the process in MiB. NLTK loads scikit-learn where it is installed, as for development: that takes some 90 MiB
more than a site needs.
"""

import json
import os
import random
import sys
import tempfile
from pathlib import Path

from bench.import_felm import Spent, run

START, CLAIMS = 10, (1_000, 10_000, 100_000)
A_RESPONSE = 10
WORDS = ("river", "bridge", "museum", "theatre", "harbour", "castle", "market", "garden", "station", "library")
RECIPE = {
    "recipe": 1,
    "title": "Claims of the benchmark",
    "responses": {
        "index": "id",
        "prompt": "prompt",
        "text": "response",
        "claims": {
            "each": "claims.*",
            "text": "text",
            "label": {"at": "label", "values": {"true": "supported", "false": "not_supported"}},
            "evidence": {"text": "passage", "url": "url"},
        },
    },
}


AGAINST = "against"
PASSAGES, A_CLAIM = 20, 10
AGAINST_RECIPE = {
    "recipe": 1,
    "title": "Claims against a source",
    "scheme": "claims",
    "responses": {
        "index": "id",
        "prompt": "prompt",
        "text": "response",
        "claims": {
            "each": "claims.*",
            "text": "text",
            "label": {"at": "label", "values": {"true": "supported", "false": "not_enough_evidence"}},
            "passages": {"each": "passages.*", "text": "."},
        },
    },
}


def main() -> None:
    against = AGAINST in sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DATA_DIR": folder}
        run(environment, "migrate", "-v0")
        started = import_claims(environment, Path(folder), START, against)
        print(f"{START} claims: {started.seconds:.2f} s, {started.memory:.0f} MiB")
        print(f"{'claims':>7} {'seconds':>8} {'a claim':>8} {'MiB':>5}")
        first = 0.0
        for claims in CLAIMS:
            spent = import_claims(environment, Path(folder), claims, against)
            each = (spent.processor - started.processor) / claims
            first = first or each
            print(f"{claims:7,} {spent.seconds:8.2f} {each / first:8.2f} {spent.memory:5.0f}", flush=True)


def import_claims(environment: dict[str, str], folder: Path, claims: int, against: bool) -> Spent:
    rows, recipe = folder / "claims.jsonl", folder / "recipe.json"
    recipe.write_text(json.dumps(AGAINST_RECIPE if against else RECIPE))
    write_claims(rows, claims, against)
    return run(environment, "import_dataset", f"claims-{claims}", str(rows), "--recipe", str(recipe))


def write_claims(path: Path, claims: int, against: bool) -> None:
    """Responses of ten claims: five sentences of two claims each, and a passage of some 500 characters a claim, or ten
    of those of the response."""
    draw = random.Random(7)

    def passage() -> str:
        return " ".join(draw.choice(WORDS) for _ in range(75))

    with path.open("w", encoding="utf-8") as file:
        for number in range(claims // A_RESPONSE):
            texts = [
                f"The {draw.choice(WORDS)} {number}-{place} was opened in {1800 + place}" for place in range(A_RESPONSE)
            ]
            sentences = [
                f"{one}, and {other[0].lower()}{other[1:]}." for one, other in zip(texts[::2], texts[1::2], strict=True)
            ]
            passages = [passage() for _ in range(PASSAGES)] if against else []
            row = {
                "id": str(number),
                "prompt": f"What is in town {number}?",
                "response": " ".join(sentences),
                "claims": [
                    {
                        "text": f"{text}.",
                        "label": draw.random() < 0.7,
                        **(
                            {"passages": draw.sample(passages, A_CLAIM)}
                            if against
                            else {"passage": passage(), "url": f"https://example.org/{number}"}
                        ),
                    }
                    for text in texts
                ],
            }
            file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
