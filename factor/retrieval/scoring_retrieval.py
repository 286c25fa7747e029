"""The model of a scoring, with its passages."""

from collections.abc import Iterable
from concurrent.futures import Executor

from factor.language_models.base import LanguageModel, ScoredContinuation
from factor.models import CompletionScore, RetrievalCorpus, Retrieved, Scoring
from factor.retrieval.exclude import excluded_documents
from factor.retrieval.find import SourcePassages
from factor.retrieval.model import RetrievedScored, RetrievingModel
from knowledge.models import Document, KnowledgeSource


def corpus_of(scoring: Scoring, source: KnowledgeSource, database_thread: Executor) -> RetrievalCorpus:
    """The passages that the scoring may retrieve from the source, fixed at the first request."""
    corpus = RetrievalCorpus.objects.filter(scoring=scoring).first()
    if corpus is not None:
        return corpus
    source = KnowledgeSource.objects.get(pk=source.pk)
    excluded = excluded_documents(scoring.benchmark, source, database_thread)
    # Of two workers who begin at once both find the same, and the first one's stays.
    corpus, _ = RetrievalCorpus.objects.get_or_create(
        scoring=scoring, defaults={"revision": source.revision, "excluded": excluded}
    )
    return corpus


def with_retrieval(scoring: Scoring, model: LanguageModel, database_thread: Executor) -> LanguageModel:
    """The model as the scoring has it: with retrieval where the scoring names a source, else as it is.

    Called in the database thread, which also looks up the passages during scoring. Documents that came into the source
    after the scoring had begun are not retrieved.
    """
    if scoring.source is None:
        return model
    corpus = corpus_of(scoring, scoring.source, database_thread)
    later = Document.objects.filter(source=scoring.source, revision__gt=corpus.revision)
    without = {pk for pks in corpus.excluded.values() for pk in pks} | set(later.values_list("pk", flat=True))
    source = KnowledgeSource.objects.get(pk=scoring.source.pk)
    return RetrievingModel(
        model, SourcePassages(source, without, database_thread), scoring.stride, scoring.query_tokens
    )


def keep_retrieved(scores: Iterable[tuple[CompletionScore, ScoredContinuation]]) -> None:
    """Store the passages of each stored score; nothing for a scoring without retrieval."""
    Retrieved.objects.bulk_create(
        Retrieved(score=score, strides=[[under.first, under.passage] for under in scored.under])
        for score, scored in scores
        if isinstance(scored, RetrievedScored)
    )
