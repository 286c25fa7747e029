"""Asking a model for answers to a dataset's prompts: which, and how."""

import math
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from annotate.grants.allowances import check_left
from annotate.grants.endpoints import check_granted
from annotate.models import CollectedPrompt, Dataset, Generation, GenerationItem, User
from annotate.prompts.take_in import index_of
from jobs.errors import StartError
from jobs.limits import NO_LIMITS, Limits
from jobs.models import JobItem
from llm.interfaces import CHAT, INTERFACES
from llm.models import Endpoint
from llm.price import check_price

LONGEST_NAME = 200
MOST_SAMPLES = 50
MOST_TOKENS = 100_000
HOTTEST = 2.0
BATCH = 500


@dataclass(frozen=True)
class GenerationSettings:
    """The model and its parameters; `subject`: its name in responses ("": as the model).

    samples: other answers to each prompt, for self-checking (FActScore §4.1), drawn at sample_temperature."""

    model: str
    subject: str = ""
    interface: str = CHAT
    temperature: float = 0.0
    max_tokens: int = 1024
    samples: int = 0
    sample_temperature: float = 1.0

    @property
    def name(self) -> str:
        return self.subject.strip() or self.model.strip()


def unanswered(dataset: Dataset, subject: str) -> list[CollectedPrompt]:
    """The prompts that the subject has not been asked and has no response to, in order."""
    answered = GenerationItem.objects.filter(
        prompt=OuterRef("pk"), generation__subject=subject, state=JobItem.State.DONE
    )
    there = set(dataset.responses.filter(subject=subject).values_list("index", flat=True))
    prompts = dataset.collected_prompts.exclude(Exists(answered)).order_by("position")
    return [prompt for prompt in prompts if index_of(subject, prompt) not in there]


@transaction.atomic
def start(
    dataset: Dataset,
    endpoint: Endpoint,
    settings: GenerationSettings,
    by: User | None = None,
    limit: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Generation:
    """Let the model be asked the first `limit` of the unanswered prompts, within the limits. Raises StartError or
    NotGrantedError."""
    check(settings)
    check_granted(dataset, endpoint)
    check_price(endpoint, settings.model, limits)
    check_left(dataset, by)
    prompts = unanswered(dataset, settings.name)[:limit]
    if not prompts:
        raise StartError(f"{settings.name} has answered all prompts: import or write prompts first.")
    try:
        with transaction.atomic():
            generation = Generation.objects.create(
                dataset=dataset,
                endpoint=endpoint,
                subject=settings.name,
                model=settings.model.strip(),
                interface=settings.interface,
                temperature=settings.temperature,
                answer_tokens=settings.max_tokens,
                samples=settings.samples,
                sample_temperature=settings.sample_temperature,
                max_tokens=limits.tokens,
                max_cost_usd=limits.cost_usd,
                created_by=by,
            )
    except IntegrityError:
        raise StartError(f"{settings.name} is already in use: wait, or continue that work.") from None
    GenerationItem.objects.bulk_create(
        (GenerationItem(generation=generation, prompt=prompt) for prompt in prompts), batch_size=BATCH
    )
    return generation


def check(settings: GenerationSettings) -> None:
    """StartError where the model cannot be asked so."""
    if not settings.model.strip():
        raise StartError("Enter a model.")
    if len(settings.name) > LONGEST_NAME or len(settings.model) > LONGEST_NAME:
        raise StartError(f"A model's name has at most {LONGEST_NAME} characters.")
    if settings.interface not in INTERFACES:
        raise StartError(f"The interface is one of {', '.join(INTERFACES)}.")
    for temperature in (settings.temperature, settings.sample_temperature):
        if not (math.isfinite(temperature) and 0 <= temperature <= HOTTEST):
            raise StartError(f"The temperature must be 0 to {HOTTEST:g}.")
    if not 1 <= settings.max_tokens <= MOST_TOKENS:
        raise StartError(f"An answer may have 1 to {MOST_TOKENS:,} tokens.")
    if not 0 <= settings.samples <= MOST_SAMPLES:
        raise StartError(f"There may be at most {MOST_SAMPLES} samples of each prompt.")
    if settings.samples and settings.sample_temperature == 0:
        raise StartError("At temperature 0 all samples are the same: enter a higher one.")
