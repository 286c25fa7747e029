"""The tables of the experts' work, in the order in which data goes down them."""

from annotate.models.corpus import Import, Prompt, ReferenceLink, Response
from annotate.models.dataset import Dataset, Guideline, Scheme
from annotate.models.gold import Adjudication, GoldLabel, GoldVersion
from annotate.models.people import Membership, Role, User
from annotate.models.units import AtomicFact, FactSet, Segment
from annotate.models.upload import Upload
from annotate.models.values import ErrorType, Value
from annotate.models.work import Assignment, Label, Task

__all__ = [
    "Adjudication",
    "Assignment",
    "AtomicFact",
    "Dataset",
    "ErrorType",
    "FactSet",
    "GoldLabel",
    "GoldVersion",
    "Guideline",
    "Import",
    "Label",
    "Membership",
    "Prompt",
    "ReferenceLink",
    "Response",
    "Role",
    "Scheme",
    "Segment",
    "Task",
    "Upload",
    "User",
    "Value",
]
