"""The tables of the machine's work: evaluators, their runs, and what they said."""

from evaluators.models.evaluator import Evaluator
from evaluators.models.prediction import Prediction
from evaluators.models.prompt_set import PromptSet
from evaluators.models.run import Run, RunItem, Worker

__all__ = ["Evaluator", "Prediction", "PromptSet", "Run", "RunItem", "Worker"]
