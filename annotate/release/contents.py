"""The contents of a release: the responses and judged units as they stood when the version was frozen."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotate.export.judged_units import judged_units
from annotate.export.read import read_responses, sentences_of
from annotate.models import AtomicFact, Dataset, GoldLabel, GoldVersion, Import, Response, Segment
from annotate.models.corpus import ResponseQuerySet
from annotate.models.gold import counted


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
    """A gold version with the dataset as it was then, without later imports."""

    version: GoldVersion

    @property
    def dataset(self) -> Dataset:
        return self.version.dataset

    @property
    def imports(self) -> set[int]:
        """Keys of the imports that were complete by then."""
        complete = Import.objects.filter(dataset=self.dataset, finished_at__lte=self.version.created_at)
        return set(complete.values_list("pk", flat=True))

    def visible(self) -> ResponseQuerySet:
        return self.dataset.responses.filter(counted("", self.version.revision), imported__in=self.imports)

    def responses(self, subject: str = "") -> Iterator[Response]:
        """In their order, of one subject or of all; those that had been removed from the dataset are left out."""
        imports = self.imports
        for response in read_responses(self.dataset, self.version.revision, subject, lambda *_: None):
            if response.imported_id in imports:
                yield response

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
