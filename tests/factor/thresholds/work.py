"""A build with measured candidates, as if its filters had worked, and labels of people."""

from factor.filtering.settings import ContradictionFilter, FilterSettings, FluencyFilter
from factor.models import Benchmark, BenchmarkBuild, BenchmarkBuildItem, Candidate, ThresholdItem, ThresholdLabel
from factor.thresholds.draw import draw_sample
from llm.models import Endpoint
from ratings.rate import rate
from tests.knowledge.sources import make_source

SETTINGS = FilterSettings(
    ContradictionFilter(by="judge", model="m"), FluencyFilter(by="judge", model="m"), near_words=20
)
SENTENCE = "The ferry left the harbour at seven in the morning of that day."
# Probability of a contradiction, fluency minus the original's, and error type of each candidate.
FIGURES = (
    (0.95, -0.1, "entity"),
    (0.85, -0.3, "entity"),
    (0.75, 0.1, "predicate"),
    (0.65, -0.25, "predicate"),
    (0.55, 0.0, "circumstance"),
    (0.45, -0.9, "circumstance"),
    (0.35, -0.05, "coreference"),
    (0.25, -0.15, "coreference"),
    (0.15, -0.5, "link"),
    (0.05, -0.02, "link"),
)


def make_build(dataset, figures=FIGURES, settings=SETTINGS, name="ferries"):
    """Each candidate is of a sentence of its own."""
    source = make_source("timetables", **{f"page{place}": f"Before. {SENTENCE}" for place in range(len(figures) or 1)})
    endpoint, _ = Endpoint.objects.get_or_create(name="away", base_url="http://127.0.0.1:1/v1", shared=True)
    build = BenchmarkBuild.objects.create(
        benchmark=Benchmark.objects.create(dataset=dataset, name=name, source=source),
        source=source,
        source_revision=1,
        documents=len(figures) or 1,
        seed=7,
        endpoint=endpoint,
        model="m",
        filters=settings.as_json(),
    )
    documents = source.documents.order_by("pk")
    for place, (contradiction, fluency, error_type) in enumerate(figures):
        item = BenchmarkBuildItem.objects.create(
            build=build, document=documents[place], position=place, sentence=SENTENCE, start=8, end=8 + len(SENTENCE)
        )
        Candidate.objects.create(
            item=item,
            error_type=error_type,
            position=0,
            text=SENTENCE.replace("seven", f"number {place}"),
            contradiction=contradiction,
            fluency=fluency,
            outcome=Candidate.Outcome.KEPT,
        )
    return build


def labelled_sample(build, person, size=10, threshold=0.4):
    """All is labelled: contradictory what has more than this probability, sound what is not far less fluent."""
    sample = draw_sample(build, size, 7, person)
    for item in ThresholdItem.objects.filter(sample=sample).for_page():
        candidate = item.candidate
        contradictory, sound = candidate.contradiction > threshold, candidate.fluency > -0.2
        rate(item, person, ThresholdLabel(contradictory=contradictory, sound=sound))
    return sample
