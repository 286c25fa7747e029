"""A scored benchmark for tests of open-ended generation, in few words."""

from factor.models import Benchmark, Completion, CompletionScore, OpenEndedPair, ScoredModel, Scoring
from factor.open_ended.facts import write_fact
from factor.open_ended.open_ended_job import OpenEndedJob
from factor.open_ended.start import Design, start
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.models import Endpoint
from llm.retries import RetryPolicy
from tests.factories import make_dataset, make_person

AT_ONCE = RetryPolicy(attempts=2, first_wait=0.01)
TRUE = " Maria painted in Lima."
FALSE = (" Maria painted in Oslo.", " Maria sang in Lima.")


def make_benchmark(examples=2, dataset=None):
    """Each example is of a document of its own: that Maria painted in Lima is true, in Oslo or that she sang there is
    not."""
    benchmark = Benchmark.objects.create(dataset=dataset or make_dataset(), name="lives")
    for position in range(examples):
        example = benchmark.examples.create(
            position=position, prefix=f"Life {position}.", document_key=f"document {position}"
        )
        for place, text in enumerate((TRUE, *FALSE)):
            example.completions.create(place=place, text=text, error_type="entity" if place else "")
    return benchmark


def make_scoring(benchmark, *means, name="tiny", endpoint=None, **fields):
    """A finished scoring; for each example the mean log-probabilities of its completions, None: no score."""
    endpoint = (
        endpoint
        or Endpoint.objects.first()
        or Endpoint.objects.create(shared=True, name="e", base_url="http://127.0.0.1:1")
    )
    scored, _ = ScoredModel.objects.get_or_create(
        dataset=benchmark.dataset,
        name=name,
        defaults={"reached_by": "endpoint", "endpoint": endpoint, "reached_as": f"{name}-as-served"},
    )
    scoring = Scoring.objects.create(benchmark=benchmark, model=scored, state=Scoring.State.FINISHED, **fields)
    completions = Completion.objects.filter(example__benchmark=benchmark).order_by("example__position", "place")
    flat = [mean for of_example in means for mean in of_example]
    CompletionScore.objects.bulk_create(
        CompletionScore(scoring=scoring, completion=completion, error="It is too long.")
        if mean is None
        else CompletionScore(
            scoring=scoring, completion=completion, tokens=[[0, 1, mean], [1, 2, mean]], total=2 * mean, count=2
        )
        for completion, mean in zip(completions, flat, strict=True)
    )
    return scoring


def make_study(scoring=None, facts=True, **design):
    """Of two examples, each with one right and one wrong pair, unless a scoring is given; asked of nobody yet."""
    scoring = scoring or make_scoring(make_benchmark(), (-2, -3, -1), (-2, -3, -1))
    study = start(scoring, scoring.model.endpoint, "tiny", Design(**{"seed": 7, "generations": 2, **design}))
    if facts:
        for pair in study.pairs.all():
            write_fact(pair, make_person("dora"), "Maria painted in Lima.")
    return study


def written_study(**design):
    """Its texts are there, as if a model had written them: the text of each says its number."""
    study = make_study(**design)
    for number, text in enumerate(texts_of(study)):
        type(text).objects.filter(pk=text.pk).update(state="done", text=f" text {number}.", finish_reason="stop")
    type(study).objects.filter(pk=study.pk).update(state="finished")
    study.refresh_from_db()
    return study


def texts_of(study):
    return [text for pair in OpenEndedPair.objects.filter(study=study) for text in pair.generations.all()]


def served_study(**design):
    """A study whose model is served by the default endpoint, worked on to its end."""
    scoring = make_scoring(make_benchmark(), (-2, -3, -1), (-2, -3, -1), endpoint=default_endpoint())
    study = make_study(scoring, **design)
    work_on(OpenEndedJob(AT_ONCE), study.pk)
    study.refresh_from_db()
    return study


def make_settled_study(dataset):
    """All of its pairs are left out, so nothing is left to be done."""
    scoring = make_scoring(make_benchmark(dataset=dataset), (-2, -3, -1), (-2, -3, -1), name="of the study")
    study = make_study(scoring, facts=False)
    for pair in study.pairs.all():
        write_fact(pair, make_person("dora"), "", "not_factual")
    return study
