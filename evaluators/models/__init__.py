"""The tables of the machine's work: evaluators, runs, predictions and analyses."""

from evaluators.models.analysis import ErrorAnalysis, ErrorCause, Mistake, MistakeSettlement, MistakeTag, Tagger
from evaluators.models.audit import AuditItem, GoldAudit
from evaluators.models.comparison import Comparison
from evaluators.models.evaluator import Evaluator
from evaluators.models.label_plan import LabelPlan, LabelRound, PlannedPrompt
from evaluators.models.prediction import Prediction
from evaluators.models.prompt_set import PromptSet
from evaluators.models.run import Run, RunItem

__all__ = [
    "AuditItem",
    "Comparison",
    "ErrorAnalysis",
    "ErrorCause",
    "Evaluator",
    "GoldAudit",
    "LabelPlan",
    "LabelRound",
    "Mistake",
    "MistakeSettlement",
    "MistakeTag",
    "PlannedPrompt",
    "Prediction",
    "PromptSet",
    "Run",
    "RunItem",
    "Tagger",
]
