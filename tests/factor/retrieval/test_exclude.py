"""What is evaluated is never retrieved."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from factor.language_models.base import ScoredContinuation
from factor.models import Benchmark, CompletionScore, RetrievalCorpus, ScoredModel, Scoring
from factor.retrieval.exclude import Reason, excluded_documents
from factor.retrieval.find import SourcePassages
from factor.retrieval.model import RetrievedScored, RetrievingModel, Under
from factor.retrieval.scoring_retrieval import keep_retrieved, with_retrieval
from knowledge.models import Document
from knowledge.writing import writing_into
from tests.factor.word_model import WordModel
from tests.factories import make_dataset
from tests.knowledge.sources import make_source, new_document

pytestmark = pytest.mark.django_db


@pytest.fixture
def database_thread():
    with ThreadPoolExecutor() as executor:
        yield executor


@pytest.fixture
def insects():
    return make_source(
        Bee="Bees dance on combs. Bees fly far.", Ant="Ants march in lines.", Wasp="Wasps dance on paper combs."
    )


def document(title, source=None):
    return Document.objects.get(title=title, **({"source": source} if source else {}))


def make_benchmark(*examples):
    """Of examples as dictionaries; `true` is the text of the true completion."""
    benchmark = Benchmark.objects.create(dataset=make_dataset(), name="Insects")
    for position, given in enumerate(examples):
        true = given.pop("true", "Moths circle lamps.")
        example = benchmark.examples.create(position=position, **given)
        example.completions.create(place=0, text=true)
        example.completions.create(place=1, text="Beetles dig.")
    return benchmark


def make_scoring(benchmark, source):
    model = ScoredModel.objects.create(
        dataset=benchmark.dataset, name="words", reached_by="transformers", reached_as="words"
    )
    return Scoring.objects.create(benchmark=benchmark, model=model, source=source, stride=2)


def test_the_document_of_an_example_is_left_out(insects, database_thread):
    benchmark = make_benchmark({"document": document("Bee")})

    assert excluded_documents(benchmark, insects, database_thread) == {Reason.DOCUMENT: [document("Bee").pk]}


def test_a_document_of_another_source_is_known_by_its_key(insects, database_thread):
    with writing_into("old") as writer:
        writer.write([new_document("Honey", "Bees make it.", key="Bee")])
    benchmark = make_benchmark({"document": document("Honey")})

    assert excluded_documents(benchmark, insects, database_thread) == {Reason.KEY: [document("Bee").pk]}


def test_a_document_of_another_source_is_known_by_its_title(insects, database_thread):
    with writing_into("old") as writer:
        writer.write([new_document("BEE", "Bees make honey.", key="b1")])
    benchmark = make_benchmark({"document": document("BEE")})

    assert excluded_documents(benchmark, insects, database_thread) == {Reason.TITLE: [document("Bee").pk]}


def test_a_document_that_only_a_file_names_is_known_by_it(insects, database_thread):
    benchmark = make_benchmark({"document_key": "Ant"}, {"document_key": " wasp"})

    assert excluded_documents(benchmark, insects, database_thread) == {
        Reason.KEY: [document("Ant").pk],
        Reason.TITLE: [document("Wasp").pk],
    }


def test_a_copy_under_another_name_is_known_by_the_true_completion(insects, database_thread):
    benchmark = make_benchmark({"document_key": "17", "true": " wasps dance\non paper combs."})

    assert excluded_documents(benchmark, insects, database_thread) == {Reason.QUOTE: [document("Wasp").pk]}


def test_all_copies_are_known_however_many(database_thread):
    copies = {f"Copy_{n}": "Wasps dance on paper combs." for n in range(45)}
    source = make_source(**copies, Bee="Bees dance on combs.")
    benchmark = make_benchmark({"true": "Wasps dance on paper combs."})

    found = excluded_documents(benchmark, source, database_thread)

    bee = Document.objects.get(title="Bee")
    assert found == {Reason.QUOTE: sorted(Document.objects.exclude(pk=bee.pk).values_list("pk", flat=True))}
    left = SourcePassages(source, found[Reason.QUOTE], database_thread)
    assert left.best_at_desk("wasps dance on paper combs").text == "Bee\nBees dance on combs.\n"


def test_a_document_that_shares_words_alone_stays(insects, database_thread):
    assert excluded_documents(make_benchmark({"true": "Wasps dance on paper."}), insects, database_thread) == {}


def test_an_excluded_document_is_never_found(insects, database_thread):
    passages = SourcePassages(insects, [document("Wasp").pk], database_thread)

    assert passages.best_at_desk("wasps dance on paper combs").text == "Bee\nBees dance on combs.\n"
    assert passages.best_at_desk("paper wasps") is None


def test_of_a_scoring_it_is_kept_what_it_may_not_retrieve(insects, database_thread):
    scoring = make_scoring(make_benchmark({"document": document("Bee")}), insects)

    model = with_retrieval(scoring, WordModel(), database_thread)

    assert model.passages.best_at_desk("bees fly") is None
    corpus = RetrievalCorpus.objects.get(scoring=scoring)
    assert (corpus.revision, corpus.excluded) == (1, {"document": [document("Bee").pk]})


def test_what_comes_into_the_source_later_is_not_retrieved(insects, database_thread):
    scoring = make_scoring(make_benchmark({"document": document("Bee")}), insects)
    with_retrieval(scoring, WordModel(), database_thread)
    with writing_into("insects") as writer:
        writer.write([new_document("Fly", "Flies buzz.")])

    assert with_retrieval(scoring, WordModel(), database_thread).passages.best_at_desk("flies buzz") is None


def test_a_scoring_without_a_source_has_the_model_as_it_is(database_thread):
    model = WordModel()

    assert with_retrieval(make_scoring(make_benchmark({}), None), model, database_thread) is model


def test_a_scoring_retrieves_as_it_says(insects, database_thread):
    scoring = make_scoring(make_benchmark({}), insects)

    found = with_retrieval(scoring, WordModel(), database_thread)

    assert isinstance(found, RetrievingModel)
    assert (found.stride, found.query_tokens) == (2, 32)


def test_what_was_retrieved_is_kept_with_the_score(insects, database_thread):
    scoring = make_scoring(make_benchmark({}), insects)
    completion = scoring.benchmark.examples.get().completions.first()
    score = CompletionScore.objects.create(scoring=scoring, completion=completion, total=-1.0, count=1)

    keep_retrieved([(score, RetrievedScored((), 0, 0, (Under(0, 7), Under(8, None))))])
    assert score.retrieved.strides == [[0, 7], [8, None]]


def test_nothing_is_kept_of_a_score_without_retrieval(insects):
    scoring = make_scoring(make_benchmark({}), None)
    completion = scoring.benchmark.examples.get().completions.first()
    score = CompletionScore.objects.create(scoring=scoring, completion=completion, total=-1.0, count=1)

    keep_retrieved([(score, ScoredContinuation((), 0))])

    assert not hasattr(score, "retrieved")
