"""How much the rules of the published code change on the published files: `python -m bench.released_rules`.

The figures of the table in docs/methods.md, What the rules change. Without the database and without a model.
"""

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SUBJECTS = ("ChatGPT", "InstructGPT")
GAMMA = 10


def main() -> None:
    """Print a line a rule."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    lives = [row for subject in SUBJECTS for row in read_rows(DATA / "factscore" / f"{subject}.jsonl")]
    for measured in (
        of_sentences(lives),
        of_abstention(lives),
        of_facts(lives),
        of_penalty(),
        of_segments(),
        of_completions(),
    ):
        for line in measured:
            print(line)


def read_rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def of_sentences(lives: list[dict[str, Any]]) -> Iterator[str]:
    from annotate.corpus.released_sentences import RELEASED, REPAIRED, SPLITTERS

    texts = [row["output"] for row in lives]
    cut = {profile: [SPLITTERS[profile](text) for text in texts] for profile in (REPAIRED, RELEASED)}
    published = [[sentence["text"] for sentence in row["annotations"] or ()] for row in lives]
    annotated = [place for place, sentences in enumerate(published) if sentences]
    for profile, found in cut.items():
        others = sum(one != other for one, other in zip(found, cut["released-code"], strict=True))
        equal = sum(found[place] == published[place] for place in annotated)
        yield (
            f"sentences, {profile}: other than released-code's in {others} of {len(texts)} outputs; the published ones "
            f"in {equal} of {len(annotated)}"
        )
    lone = sum(len(sentence.split()) == 1 for sentences in cut["released-code"] for sentence in sentences[1:])
    yield f"sentences, released-code: {lone} of one word that are not first"


def of_abstention(lives: list[dict[str, Any]]) -> Iterator[str]:
    from evaluators.methods.abstention import DETECTORS, RULED, abstains

    for detector in (RULED, *DETECTORS):
        said = [(abstains(row["output"], {"abstention": detector}), row["annotations"] is None) for row in lives]
        missed, wrong = sum(gold and not one for one, gold in said), sum(one and not gold for one, gold in said)
        right = sum(one and gold for one, gold in said)
        rates = (f"{right / of:.2f}" if of else "undefined" for of in (right + wrong, right + missed))
        yield (
            f"abstention, {detector}: {missed} missed, {wrong} wrongly found, of {len(said)} outputs: "
            f"precision and recall {' and '.join(rates)}"
        )


def of_facts(lives: list[dict[str, Any]]) -> Iterator[str]:
    """Over the published facts of the model, from which the published code has already dropped some."""
    from evaluators.fact_generation.released_facts import without_invented

    changed = facts = sentences = 0
    for sentence in (sentence for row in lives for sentence in row["annotations"] or ()):
        told = tuple(fact["text"] for fact in sentence["model-atomic-facts"] or ())
        kept = without_invented(sentence["text"], told)
        sentences += 1
        facts += len(told) - len(kept)
        changed += kept != told
    yield f"facts, released-code: other in {changed} of {sentences} sentences, {facts} facts fewer"


def of_penalty() -> Iterator[str]:
    """The mean share of facts that people call supported, over responses with such facts; γ = 10, as released."""
    from math import exp

    for subject in SUBJECTS:
        plain: list[float] = []
        penalized: list[float] = []
        for row in read_rows(DATA / "factscore" / f"{subject}.jsonl"):
            facts = [fact for sentence in row["annotations"] or () for fact in sentence["human-atomic-facts"] or ()]
            labels = [fact["label"] for fact in facts if fact["label"] in ("S", "NS")]
            if labels:
                share = labels.count("S") / len(labels)
                plain.append(share)
                penalized.append(share * (1.0 if len(labels) > GAMMA else exp(1 - GAMMA / len(labels))))
        yield (
            f"penalty, {subject}: {100 * sum(plain) / len(plain):.1f} without, "
            f"{100 * sum(penalized) / len(penalized):.1f} with, over {len(plain)} responses"
        )


def of_segments() -> Iterator[str]:
    from evaluators.methods.felm_prompts import number_lines

    rows = read_rows(DATA / "felm" / "all.jsonl")
    segments = [segment for row in rows for segment in row["segmented_response"]]
    for profile in ("repaired", "released-code"):
        shown = [number_lines([segment], profile).removeprefix("1. ") for segment in segments]
        changed = sum(one != other for one, other in zip(shown, segments, strict=True))
        yield f"segments, {profile}: shown otherwise than in the file in {changed} of {len(segments)}"
    empty = sum(not number_lines([segment], "released-code").removeprefix("1. ") for segment in segments)
    yield f"segments, released-code: {empty} of {len(segments)} are empty"


def of_completions() -> Iterator[str]:
    with (DATA / "factor" / "news_factor.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    completions = [row[name] for row in rows for name in row if name.startswith(("completion", "contradiction_"))]
    spaced = sum(text.startswith(" ") for text in completions)
    moved = sum(row["turncated_prefixes"].endswith(" ") for row in rows)
    yield f"completions: {spaced} of {len(completions)} begin with a space"
    yield f"prefixes: {moved} of {len(rows)} end with a space"


if __name__ == "__main__":
    main()
