"""The tables of the experts' work, in the order of the data's way."""

from annotate.models.attention import Dismissal
from annotate.models.cases import CaseChange, CaseCount
from annotate.models.claims import ClaimPassage, SourcePassage
from annotate.models.corpus import Import, Prompt, ReferenceLink, Response, SkippedRow, SubjectSample
from annotate.models.dataset import Dataset, DatasetDeletion, Guideline, ReviewPolicy, Scheme
from annotate.models.document_upload import DocumentUpload
from annotate.models.gold import Adjudication, GoldCount, GoldEdit, GoldLabel, GoldVersion, Removal
from annotate.models.grants import Allowance, EndpointGrant, SourceOwner
from annotate.models.keeping import PersonalExport, Pruning
from annotate.models.marks import UnitMark
from annotate.models.moving import AssignmentEvent, Message, TaskMove, WorkLimit
from annotate.models.people import Invitation, Membership, Qualification, QualificationRetake, Role, User
from annotate.models.prompt_set import PromptSet
from annotate.models.prompts import CollectedPrompt, Generation, GenerationItem, PromptWriting, SubjectModel
from annotate.models.proposal import Proposal
from annotate.models.recruitment import OutsidePerson, RecruitmentLink
from annotate.models.release import Release
from annotate.models.requested_page import RequestedPage
from annotate.models.review import Challenge, Signature, ViewReceipt
from annotate.models.samples import Sample, SampleItem, SampleRating
from annotate.models.second_look import SecondLook, SecondLookItem, SecondLookRating, SecondLookSettlement
from annotate.models.shared_conversation import SharedMessage, SharedReading
from annotate.models.stored_recipe import StoredRecipe
from annotate.models.units import AtomicFact, FactSet, Segment, Segmentation
from annotate.models.upload import Upload
from annotate.models.values import (
    Disagreement,
    ErrorType,
    Irrelevance,
    Stance,
    Suggesting,
    SuggestionShown,
    Unsupported,
    Value,
)
from annotate.models.work import Assignment, Edit, Label, ResponseLabel, Task

__all__ = [
    "Adjudication",
    "Allowance",
    "Assignment",
    "AssignmentEvent",
    "AtomicFact",
    "CaseChange",
    "CaseCount",
    "Challenge",
    "ClaimPassage",
    "CollectedPrompt",
    "Dataset",
    "DatasetDeletion",
    "Disagreement",
    "Dismissal",
    "DocumentUpload",
    "Edit",
    "EndpointGrant",
    "ErrorType",
    "FactSet",
    "Generation",
    "GenerationItem",
    "GoldCount",
    "GoldEdit",
    "GoldLabel",
    "GoldVersion",
    "Guideline",
    "Import",
    "Invitation",
    "Irrelevance",
    "Label",
    "Membership",
    "Message",
    "OutsidePerson",
    "PersonalExport",
    "Prompt",
    "PromptSet",
    "PromptWriting",
    "Proposal",
    "Pruning",
    "Qualification",
    "QualificationRetake",
    "RecruitmentLink",
    "ReferenceLink",
    "Release",
    "Removal",
    "RequestedPage",
    "Response",
    "ResponseLabel",
    "ReviewPolicy",
    "Role",
    "Sample",
    "SampleItem",
    "SampleRating",
    "Scheme",
    "SecondLook",
    "SecondLookItem",
    "SecondLookRating",
    "SecondLookSettlement",
    "Segment",
    "Segmentation",
    "SharedMessage",
    "SharedReading",
    "Signature",
    "SkippedRow",
    "SourceOwner",
    "SourcePassage",
    "Stance",
    "StoredRecipe",
    "SubjectModel",
    "SubjectSample",
    "Suggesting",
    "SuggestionShown",
    "Task",
    "TaskMove",
    "UnitMark",
    "Unsupported",
    "Upload",
    "User",
    "Value",
    "ViewReceipt",
    "WorkLimit",
]
