"""What SelfCheckGPT's variants share (Manakul et al. 2023, arXiv 2303.08896): a unit is held against the subject
model's other answers to the same prompt."""

from evaluators.methods.base import Case, Judge, Judgement, Outcome, Skip, Tools, Unit
from stats.baselines import NOT_SUPPORTED, SUPPORTED

NO_SAMPLES = "no other sample"


def other_answers(case: Case) -> list[str]:
    """The subject's other answers that say anything."""
    return [sample for sample in case.samples if sample.strip()]


def unless_alone(judge: Judge) -> Judge:
    """The judge, but for responses without another answer: nothing of them is judged."""

    async def judge_response(case: Case, tools: Tools) -> list[Outcome]:
        if not other_answers(case):
            return [Skip(unit, NO_SAMPLES) for unit in case.units]
        return await judge(case, tools)

    return judge_response


def decide(unit: Unit, score: float, threshold: float, rationale: str, calls: tuple[int, ...] = ()) -> Judgement:
    """Supported from the threshold on."""
    return Judgement(unit, SUPPORTED if score >= threshold else NOT_SUPPORTED, score, rationale, calls)
