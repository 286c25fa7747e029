"""The contents of a release: the responses and judged units as they stood when the version was frozen."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q

from annotate.export.judged_units import judged_units
from annotate.export.read import read_responses, sentences_of
from annotate.models import AtomicFact, Dataset, GoldLabel, GoldVersion, Import, Response, Segment, Task
from annotate.models.corpus import ResponseQuerySet
from annotate.models.gold import counted

# Kinds of tasks whose answers are known.
KNOWN = (Task.Kind.QUALIFICATION, Task.Kind.CONTROL)


@dataclass(frozen=True)
class ReleasedUnit:
    """A judged unit: a segment, or a fact under it (None: the segment as a whole), with its gold.

    correction: how the segment reads when it is made right, "" where it is to be removed; None where nobody settled
    that.
    """

    segment: Segment
    fact: AtomicFact | None
    gold: GoldLabel
    correction: str | None

    @property
    def text(self) -> str:
        return (self.fact or self.segment).text


@dataclass(frozen=True)
class Frozen:
    """A gold version with the dataset as it was then, without later imports.

    with_known: whether it holds the responses that qualification and controls ask by now, whose answers shall stay
    unknown to who is asked.
    """

    version: GoldVersion
    with_known: bool = True

    @property
    def dataset(self) -> Dataset:
        return self.version.dataset

    @property
    def imports(self) -> set[int]:
        """Keys of the imports that were complete by then."""
        complete = Import.objects.filter(dataset=self.dataset, finished_at__lte=self.version.created_at)
        return set(complete.values_list("pk", flat=True))

    def visible(self) -> ResponseQuerySet:
        responses = self._there()
        # A response without a task is work that nobody has been given yet.
        return responses if self.with_known else responses.filter(~Q(task__kind__in=KNOWN) | Q(task__isnull=True))

    def left_out(self) -> ResponseQuerySet:
        """The responses of qualification and controls, where it does not hold them."""
        responses = self._there()
        return responses.none() if self.with_known else responses.filter(task__kind__in=KNOWN)

    def _there(self) -> ResponseQuerySet:
        return self.dataset.responses.filter(counted("", self.version.revision), imported__in=self.imports)

    def responses(self, subject: str = "") -> Iterator[Response]:
        """In their order, of one subject or of all; those that had been removed from the dataset are left out."""
        wanted = self.visible()
        if subject:
            wanted = wanted.filter(subject=subject)
        yield from read_responses(self.dataset, self.version.revision, wanted, lambda *_: None)

    def settled(self, subject: str = "") -> Iterator[Response]:
        """Those with gold, and abstentions: what nobody has settled yet may still be cut and broken up anew."""
        for response in self.responses(subject):
            if response.abstained or any(units_of(self.dataset, response)):
                yield response

    def subjects(self) -> list[str]:
        return sorted(set(self.visible().order_by().values_list("subject", flat=True)))


def units_of(dataset: Dataset, response: Response) -> Iterator[ReleasedUnit]:
    """The units of a response that have gold, in reading order."""
    for sentence in sentences_of(response):
        for fact, gold in judged_units(dataset, sentence):
            if gold is not None:
                yield ReleasedUnit(sentence.segment, fact, gold, sentence.correction)
