"""The start of proposals: the responses, and the model."""

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from annotate.grants.allowances import check_left
from annotate.grants.models import LONGEST_MODEL
from annotate.models import Dataset, FactSet, Proposal, Segment, Segmentation, User
from annotate.models.corpus import ResponseQuerySet
from annotate.models.prompt_set import PROJECT_SET
from annotate.prompt_sets.sets import find_set
from annotate.proposals.templates import templates_of
from annotate.segments.ask import CUT_BY_MODEL
from annotate.segments.untouched import untouched
from jobs.errors import StartError
from llm.models import Endpoint
from llm.templates import PromptError

BATCH = 500


def last_model(dataset: Dataset) -> str:
    """The model that was last asked in the dataset; "" where none was."""
    proposals = Proposal.objects.filter(response__dataset=dataset).order_by("-pk")
    return proposals.values_list("model", flat=True).first() or ""


def proposable(dataset: Dataset, kind: str, *without: Exists) -> ResponseQuerySet:
    """Responses that a model may be asked about, in order: nothing hangs on them, and nobody asks already.

    Those with any of `without` are left out, and first: rare conditions are tested before the many dependent rows.
    """
    responses = dataset.responses.visible().filter(abstained=False).exclude(text="").order_by("position")
    for known in without:
        responses = responses.exclude(known)
    under_way = Proposal.objects.unsettled().filter(kind=kind, response=OuterRef("pk"))
    responses = untouched(responses, kind).exclude(Exists(under_way))
    if kind == Proposal.Kind.SEGMENTS:
        return responses
    written = FactSet.objects.filter(response=OuterRef("pk"), origin=FactSet.Origin.HUMAN)
    return responses.filter(Exists(Segment.objects.filter(response=OuterRef("pk")))).exclude(Exists(written))


def unproposed(dataset: Dataset, kind: str) -> ResponseQuerySet:
    """Those of them to ask about when none are named: without facts; or of math and recommendations, not cut yet by
    anybody but the file's makers or the sentence splitter (FELM §3.5)."""
    if kind == Proposal.Kind.FACTS:
        settled_sets = FactSet.objects.filter(~Q(origin=FactSet.Origin.GENERATED), response=OuterRef("pk"))
        return proposable(dataset, kind, Exists(settled_sets))
    cut = Segmentation.objects.filter(~Q(origin=Segmentation.Origin.IMPORT), response=OuterRef("pk"))
    return proposable(dataset, kind, Exists(cut)).filter(prompt__domain__in=CUT_BY_MODEL)


def start(
    dataset: Dataset,
    responses: ResponseQuerySet,
    kind: str,
    model: str,
    by: User | None = None,
    limit: int | None = None,
    endpoint: Endpoint | None = None,
    prompts: str = PROJECT_SET,
) -> int:
    """Let `model` be asked about the first `limit` of the dataset's responses; how many they are. endpoint: None for
    the default one. prompts: the prompt set. Raises StartError."""
    model = model.strip()
    if not model:
        raise StartError("Enter a model.")
    if len(model) > LONGEST_MODEL:
        raise StartError(f"A model's name has at most {LONGEST_MODEL} characters.")
    check_left(dataset, by)
    try:
        prompts = find_set(dataset, prompts).name
        templates_of(dataset, prompts, kind)
    except PromptError as error:
        raise StartError(str(error)) from None
    with transaction.atomic():
        rows = [
            Proposal(response_id=pk, kind=kind, model=model, endpoint=endpoint, prompts=prompts, created_by=by)
            for pk in responses.values_list("pk", flat=True)[:limit]
        ]
        # Two users ask for the same at once: one of them succeeds.
        Proposal.objects.bulk_create(rows, batch_size=BATCH, ignore_conflicts=True)
    return len(rows)


def stop(dataset: Dataset, kind: str) -> int:
    """Ask nothing more: what is not settled yet is withdrawn; how many responses that were. An answer under way is not
    stored."""
    withdrawn, _ = Proposal.objects.unsettled().filter(response__dataset=dataset, kind=kind).delete()
    return withdrawn
