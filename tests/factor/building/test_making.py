"""A benchmark made from a corpus by a model behind real HTTP: examples, yields, and what is left out and why."""

import pytest
from django.utils import timezone

from factor.building.progress import progress_of
from factor.building.start import BuildRequest, start
from factor.filtering.settings import ContradictionFilter, FilterSettings
from factor.generating.sift import Unfit
from factor.models import BenchmarkBuild, BenchmarkBuildItem, Candidate, Example
from factor.selecting.sentence import DocumentSkip
from jobs.errors import StartError
from knowledge.models import Document, KnowledgeSource
from llm.endpoints import default_endpoint
from llm.models import Call
from tests.factor.building.corpus import LIVES, begin, outcomes, work
from tests.factories import make_dataset
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db


def test_a_corpus_becomes_a_benchmark(model):
    build = work(begin())

    assert (build.state, build.error) == ("finished", "")
    assert outcomes(build) == {
        **dict.fromkeys(("Ermgard Lowe", "Piet Hale", "Martha Lind"), "made"),
        "Empty": "empty",
        "Headlines": "only headlines",
        "Short": "too short",
    }
    examples = Example.objects.filter(benchmark=build.benchmark).prefetch_related("completions")
    assert [example.position for example in examples] == [0, 1, 2]
    for example in examples:
        true, *false = example.completions.order_by("place")
        assert example.prefix + true.text == LIVES[example.document_key.replace(" ", "_")]
        assert true.error_type == ""
        assert len({each.text for each in false} - {true.text}) == 3
        assert len({each.error_type for each in false}) == 3


def test_a_base_model_goes_on_with_the_demonstrations(model):
    build = work(begin(interface="completion"))

    assert build.benchmark.examples.count() == 3
    asked = Call.objects.first().request
    assert (asked["interface"], asked["parameters"]["max_tokens"]) == ("completion", 1024)


def test_every_reason_of_the_stages_has_its_words():
    assert set(DocumentSkip) <= set(BenchmarkBuildItem.Reason.values)
    assert set(Unfit) == set(Candidate.UNFIT)


def test_the_date_of_a_document_is_that_of_its_example(model):
    build = begin()
    Document.objects.filter(key="Piet Hale").update(published="2021-10-05")

    work(build)

    dated = {example.document_key: example.dated for example in build.benchmark.examples.all()}
    assert dated["Piet Hale"].isoformat() == "2021-10-05"
    assert dated["Martha Lind"] is None


def test_the_yields_add_up(model):
    progress = progress_of(work(begin()))

    documents, (total, *types) = progress.documents, progress.contradictions
    assert (documents.drawn, documents.with_sentence, documents.with_candidates) == (6, 3, 3)
    assert (documents.with_passed, documents.made) == (3, 3)
    assert documents.left_out == {"empty": 1, "only headlines": 1, "too short": 1}
    assert (documents.settled, progress.share) == (6, 1.0)
    assert total.chosen == 9 == sum(each.chosen for each in types)
    assert total.written == Candidate.objects.count() == sum(each.written for each in types)
    assert total.fit == total.passed == total.written - sum(total.dropped.values())


def test_the_same_seed_makes_the_same(model):
    first = work(begin())
    second = work(start(first.benchmark.dataset, "again", first.source, first.endpoint, BuildRequest("tiny", 10)))

    texts = [
        list(build.benchmark.examples.values_list("prefix", "completions__text").order_by("position", "completions"))
        for build in (first, second)
    ]
    assert texts[0] == texts[1]
    assert Call.objects.count() == model.stats()["total"]  # what was paid for once is not asked again


def test_no_more_documents_than_wanted_are_drawn(model):
    build = work(begin(2))

    assert (build.items.count(), build.documents) == (2, 2)


def test_documents_that_came_later_are_not_drawn(model):
    build = begin()
    make_source("lives", Nora_Feld=LIVES["Piet_Hale"].replace("Piet Hale", "Nora Feld"))

    work(build)

    assert "Nora Feld" not in outcomes(build)


def test_a_model_that_answers_nonsense_leaves_every_document_out_and_its_answers_are_kept(model):
    model.control(answer="I would rather not.")

    build = work(begin())

    assert (build.state, build.benchmark.examples.count()) == ("finished", 0)
    assert outcomes(build)["Piet Hale"] == "nothing generated"
    assert set(Candidate.objects.values_list("outcome", "reason", "text")) == {
        ("dropped", "unreadable", "I would rather not.")
    }


def test_too_few_contradictions_leave_a_document_out(model):
    model.control(
        answer="1. Contradiction: Before he moved to Northwick in 1912 he shared a studio with nobody at all."
    )

    build = work(begin())

    assert outcomes(build)["Piet Hale"] == "too few"
    assert set(Candidate.objects.values_list("outcome", "reason")) == {
        ("kept", ""),
        ("dropped", "repeated"),
        ("dropped", "unlike"),
    }


def test_an_answer_that_is_cut_off_loses_its_last_contradiction(model):
    model.control(finish_reason="length")

    build = work(begin(contradictions=2))

    assert build.benchmark.examples.count() == 3
    assert not Candidate.objects.exclude(reason="cut off").filter(position=1).exists()


def test_a_filter_drops_and_says_why(model):
    judge = ContradictionFilter(by="judge", model="judge", logprobs=False, threshold=0.6)

    build = work(begin(filters=FilterSettings(contradiction=judge)))

    judged = Candidate.objects.exclude(contradiction=None)
    assert (build.state, judged.filter(contradiction__lte=0.6).exclude(outcome="dropped").count()) == ("finished", 0)
    lacking = Candidate.objects.filter(reason="not measured")
    assert judged.exists() or lacking.exists()
    assert not lacking.filter(explanation="").exists()


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (BuildRequest(" "), "Enter the model for the contradictions"),
        (BuildRequest("tiny", documents=0), "number of documents"),
        (BuildRequest("tiny", interface="telegraph"), "interface is one of"),
        (BuildRequest("tiny", temperature=float("nan")), "temperature must be"),
        (
            BuildRequest(
                "tiny", filters=FilterSettings(ContradictionFilter(by="judge", model="j", endpoint="nowhere"))
            ),
            "nowhere",
        ),
    ],
)
def test_what_cannot_be_made_is_refused_with_a_sentence(model, wish, words):
    source = make_source("lives", **LIVES)
    with pytest.raises(StartError, match=words):
        start(make_dataset(), "lives", source, default_endpoint(), wish)
    assert not BenchmarkBuild.objects.exists()


def test_a_source_without_a_document_or_under_its_first_import_is_refused(model):
    dataset, wish = make_dataset(), BuildRequest("tiny")
    importing = KnowledgeSource.objects.create(name="importing", writer="x", beat_at=timezone.now())
    empty = KnowledgeSource.objects.create(name="empty", revision=1)

    with pytest.raises(StartError, match="import into importing has not ended"):
        start(dataset, "one", importing, default_endpoint(), wish)
    with pytest.raises(StartError, match="empty has no document"):
        start(dataset, "one", empty, default_endpoint(), wish)
    assert not dataset.benchmarks.exists()


def test_a_name_is_given_once(model):
    build = begin()
    with pytest.raises(StartError, match="already has a benchmark named lives"):
        start(build.benchmark.dataset, "lives", build.source, build.endpoint, BuildRequest("tiny"))


def test_a_corpus_of_empty_documents_gives_no_example_and_says_so(model):
    source = make_source("empty", One=" ", Two="\n")

    build = work(start(make_dataset(), "nothing", source, default_endpoint(), BuildRequest("tiny")))

    assert (build.state, build.benchmark.examples.count()) == ("finished", 0)
    assert progress_of(build).documents.left_out == {"empty": 2}
    assert model.stats()["total"] == 0
