"""The page of the knowledge source for each topic of a dataset, the rule that found it, and topics without one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.models import Dataset, Prompt
from core.errors import DataError
from knowledge.models import Document, KnowledgeSource
from knowledge.titles import Resolution, Rule, name_by_hand, resolve_all


@dataclass(frozen=True)
class TopicReport:
    """The topics of a dataset's prompts, each once, by name.

    without_page: those that no rule finds one page for, with the titles that might be meant. by_other_rules: those
    whose page is not titled like them letter by letter. counts: how many topics each rule resolved.
    """

    topics: int
    without_page: list[Resolution]
    by_other_rules: list[Resolution]
    counts: dict[Rule, int]

    @property
    def ambiguous(self) -> list[Resolution]:
        """Those without a page that some titles are like."""
        return [resolution for resolution in self.without_page if resolution.candidates]

    @property
    def unlike(self) -> list[Resolution]:
        """Those that no title is like."""
        return [resolution for resolution in self.without_page if not resolution.candidates]

    @property
    def resolved(self) -> int:
        return self.topics - len(self.without_page)

    def missing(self) -> list[dict[str, object]]:
        """The topics without a page as JSON."""
        return [{"topic": each.topic, "candidates": list(each.candidates)} for each in self.without_page]

    def missing_lines(self) -> list[str]:
        """A line for each topic without a page, with the titles that may be meant."""
        near = {each.topic: f"; there are: {', '.join(each.candidates)}" for each in self.ambiguous}
        return [f"  {each.topic}: no page{near.get(each.topic, '')}" for each in self.without_page]


def report_topics(dataset: Dataset) -> TopicReport:
    """DataError where the dataset has no knowledge source."""
    return report_on(_source_of(dataset), topics_of(dataset))


def report_on(source: KnowledgeSource, topics: Sequence[str]) -> TopicReport:
    resolutions = resolve_all(source, topics)
    counts = Counter(resolution.rule for resolution in resolutions if resolution.rule is not None)
    return TopicReport(
        topics=len(resolutions),
        without_page=[resolution for resolution in resolutions if resolution.rule is None],
        by_other_rules=[resolution for resolution in resolutions if resolution.rule not in (None, Rule.EXACT)],
        counts={rule: counts[rule] for rule in Rule if counts[rule]},
    )


def _source_of(dataset: Dataset) -> KnowledgeSource:
    if dataset.knowledge_source is None:
        raise DataError(f"{dataset.name} has no knowledge source: its topics cannot be looked up.")
    return dataset.knowledge_source


def topics_of(dataset: Dataset) -> list[str]:
    """The topics of prompts that have responses."""
    prompts = Prompt.objects.filter(responses__in=dataset.responses.visible()).exclude(topic="")
    return list(prompts.order_by("topic").values_list("topic", flat=True).distinct())


def topics_to_find(dataset: Dataset) -> list[str]:
    """The topics of all prompts, whose pages are taken out of a larger file. DataError: there is none."""
    prompts = dataset.prompts.exclude(topic="").order_by("topic")
    topics = list(prompts.values_list("topic", flat=True).distinct())
    if not topics:
        raise DataError(f"{dataset.name} has no prompt with a topic: no page can be looked for.")
    return topics


def name_page(dataset: Dataset, topic: str, title: str) -> Document:
    """Have the topic looked up on the page of exactly that title in the dataset's source.

    DataError where there is not one such page.
    """
    source = _source_of(dataset)
    if not topic.strip():
        raise DataError("Name the topic too.")
    pages = list(Document.objects.visible().filter(source=source, title=title.strip()).defer("text")[:2])
    if len(pages) != 1:
        raise DataError(f"{source} has {'several pages' if pages else 'no page'} titled {title.strip()!r}.")
    name_by_hand(source, topic, pages[0])
    return pages[0]
