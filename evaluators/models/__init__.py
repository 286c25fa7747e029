"""The tables of the machine's work: evaluators, runs, predictions and analyses."""

from evaluators.models.analysis import ErrorAnalysis, ErrorCause, Mistake, MistakeSettlement, MistakeTag, Tagger
from evaluators.models.audit import AuditItem, GoldAudit
from evaluators.models.batch import RunBatch
from evaluators.models.claim import ClaimAlignment, ExtractedClaim
from evaluators.models.comparison import Comparison
from evaluators.models.editing import EditItem, EditRating, EditSample, EditSettlement, SentenceEdit
from evaluators.models.evaluator import Evaluator
from evaluators.models.held_out import BoardSubmission, BoardTeam, HeldOutBoard
from evaluators.models.label_plan import LabelPlan, LabelRound, PlannedPrompt
from evaluators.models.prediction import Prediction
from evaluators.models.results_upload import ResultsUpload
from evaluators.models.run import Run, RunItem, RunTag
from evaluators.models.shared_comparison import SharedComparison

__all__ = [
    "AuditItem",
    "BoardSubmission",
    "BoardTeam",
    "ClaimAlignment",
    "Comparison",
    "EditItem",
    "EditRating",
    "EditSample",
    "EditSettlement",
    "ErrorAnalysis",
    "ErrorCause",
    "Evaluator",
    "ExtractedClaim",
    "GoldAudit",
    "HeldOutBoard",
    "LabelPlan",
    "LabelRound",
    "Mistake",
    "MistakeSettlement",
    "MistakeTag",
    "PlannedPrompt",
    "Prediction",
    "ResultsUpload",
    "Run",
    "RunBatch",
    "RunItem",
    "RunTag",
    "SentenceEdit",
    "SharedComparison",
    "Tagger",
]
