"""SelfCheckGPT with natural-language inference (Manakul et al. 2023, §5.4): do the model's other answers contradict
the unit?"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from evaluators.methods.base import Case, Judge, Method, Outcome, Parameter, Skip, Tools, Unit
from evaluators.methods.entailment import RUNNING, TOO_LONG, WEIGHTS, find_entailment, pieces_for
from evaluators.methods.selfcheck_samples import decide, other_answers, unless_alone
from llm.pair_classifier import Pair, find_contradiction, load_pair_classifier
from llm.weights import find_weights


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises NotReadyError where the extra or the weights are not there, or the labels are not those of inference."""
    folder = find_weights(parameters["nli_weights"], "nli_weights")
    entailed, contradicted = find_entailment(folder, ""), find_contradiction(folder)

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        # Beside the event loop: leases are renewed meanwhile, and a run can be stopped.
        return await asyncio.to_thread(judge_units, case)

    def judge_units(case: Case) -> list[Outcome]:
        classifier = load_pair_classifier(folder, parameters["device"], parameters["dtype"])
        samples = other_answers(case)
        # By unit and sample, the pieces of the sample beside the unit.
        pairs: list[list[list[Pair]]] = [
            [[(piece, unit.text) for piece in pieces_for(classifier, sample, unit.text)] for sample in samples]
            for unit in case.units
        ]
        all_pairs = [pair for of_unit in pairs for of_sample in of_unit for pair in of_sample]
        found = iter(classifier.probabilities(all_pairs, parameters["batch"]))
        return [
            judge_unit(unit, [[next(found) for _ in of_sample] for of_sample in of_unit])
            for unit, of_unit in zip(case.units, pairs, strict=True)
        ]

    def judge_unit(unit: Unit, by_sample: Sequence[Sequence[Sequence[float]]]) -> Outcome:
        if not all(by_sample):
            return Skip(unit, TOO_LONG)
        contradictions = [contradiction(pieces, entailed, contradicted) for pieces in by_sample]
        score = 1 - sum(contradictions) / len(contradictions)
        against = sum(each > 0.5 for each in contradictions)
        rationale = f"{against} of {len(contradictions)} other answers contradict it"
        return decide(unit, score, parameters["threshold"], rationale)

    return unless_alone(judge)


def contradiction(pieces: Sequence[Sequence[float]], entailed: int, contradicted: int) -> float:
    """P(contradiction) by P(contradiction) + P(entailment) of a sample. Of a sample that the model takes in pieces
    only, by the piece that bears most on the unit: its P(neutral) is the lowest."""
    # A pair whose neutral is certain to six digits says neither.
    both = max(([piece[contradicted], piece[entailed]] for piece in pieces), key=sum)
    return both[0] / sum(both) if any(both) else 0.5


METHOD = Method(
    name="selfcheck-nli",
    title="SelfCheckGPT, inference",
    description="Judges each unit by how far the subject model's other answers to the same prompt contradict it, by a "
    "classifier of natural-language inference on this machine. Needs the extra neural; leaves out responses without "
    "other samples.",
    build=build,
    own_parameters=(
        WEIGHTS,
        Parameter(
            "threshold",
            0.5,
            "Score from which a unit is supported: 1 less the mean contradiction.",
            minimum=0,
            maximum=1,
            label="Threshold",
        ),
        *RUNNING,
    ),
)
