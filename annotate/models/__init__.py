"""The tables of the experts' work, in the order of the data's way."""

from annotate.models.corpus import Import, Prompt, ReferenceLink, Response, SubjectSample
from annotate.models.dataset import Dataset, Guideline, ReviewPolicy, Scheme
from annotate.models.document_upload import DocumentUpload
from annotate.models.gold import Adjudication, GoldEdit, GoldLabel, GoldVersion, Removal
from annotate.models.grants import Allowance, EndpointGrant, SourceOwner
from annotate.models.people import Membership, Qualification, Role, User
from annotate.models.prompts import CollectedPrompt, Generation, GenerationItem, PromptWriting, SubjectModel
from annotate.models.proposal import Proposal
from annotate.models.release import Release
from annotate.models.requested_page import RequestedPage
from annotate.models.review import Challenge, Signature, ViewReceipt
from annotate.models.samples import Sample, SampleItem, SampleRating
from annotate.models.second_look import SecondLook, SecondLookItem, SecondLookRating, SecondLookSettlement
from annotate.models.units import AtomicFact, FactSet, Segment, Segmentation
from annotate.models.upload import Upload
from annotate.models.values import Disagreement, ErrorType, Irrelevance, Stance, Unsupported, Value
from annotate.models.work import Assignment, Edit, Label, ResponseLabel, Task

__all__ = [
    "Adjudication",
    "Allowance",
    "Assignment",
    "AtomicFact",
    "Challenge",
    "CollectedPrompt",
    "Dataset",
    "Disagreement",
    "DocumentUpload",
    "Edit",
    "EndpointGrant",
    "ErrorType",
    "FactSet",
    "Generation",
    "GenerationItem",
    "GoldEdit",
    "GoldLabel",
    "GoldVersion",
    "Guideline",
    "Import",
    "Irrelevance",
    "Label",
    "Membership",
    "Prompt",
    "PromptWriting",
    "Proposal",
    "Qualification",
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
    "Signature",
    "SourceOwner",
    "Stance",
    "SubjectModel",
    "SubjectSample",
    "Task",
    "Unsupported",
    "Upload",
    "User",
    "Value",
    "ViewReceipt",
]
