"""A pool of prompts that evaluators have judged, in the fewest words."""

import numpy as np

from annotate.models import Dataset
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response

NAMES = ("ada", "ben")


def make_pool(prompts: int = 24, evaluators: int = 3, annotators: int = 2) -> Dataset:
    """Prompts of three units without gold; `judge 0` contradicts the others at every fourth prompt."""
    dataset = make_dataset()
    said = [{} for _ in range(evaluators)]
    for number in range(prompts):
        response = make_response(
            dataset, ["One.", "Two.", "Three."], f"Prompt {number}?", "math" if number % 2 else "wk"
        )
        for place, segment in enumerate(response.segments.all()):
            for judge in range(evaluators):
                differs = judge == 0 and number % 4 == 0
                said[judge][segment] = "NS"[(place == 0) == differs]
    for judge in range(evaluators):
        add_run(dataset, said[judge], name=f"judge {judge}")
    for name in NAMES[:annotators]:
        make_person(name, dataset)
    make_person("dora", dataset, "adjudicator")
    make_person("rhea", dataset, "researcher")
    return dataset


def label(dataset: Dataset, prompts: list[int], seed: int = 1) -> None:
    """Gold for all units of these prompts: an error in three of four first units."""
    chance = np.random.default_rng(seed)
    for response in dataset.responses.filter(prompt__in=prompts):
        for place, segment in enumerate(response.segments.all()):
            wrong = place == 0 and chance.random() < 0.75
            add_gold(segment, "not_supported" if wrong else "supported")
