"""The references of a response as FELM's evaluators show them to a model: their addresses, or what they say."""

from evaluators.methods.base import Case
from knowledge.bm25 import PassageIndex
from knowledge.passages import cut
from knowledge.words import content_words


def show_links(case: Case) -> str:
    """The addresses, one a line, each once; "" where there is none."""
    return "\n".join(dict.fromkeys(reference.url for reference in case.references if reference.url))


def show_document(case: Case, chunk_tokens: int) -> str:
    """From each reference the chunk that bears most on the question and its answer, in the order of the references.

    The documents are cut into chunks of so many tokens, and the best is found by BM25 (FELM appendix D). "" where no
    reference has contents.
    """
    words = content_words(f"{case.prompt}\n" + "\n".join(case.segments))
    best = (_best_chunk(reference.content or "", words, chunk_tokens) for reference in case.references)
    return "\n\n".join(dict.fromkeys(chunk for chunk in best if chunk))


def _best_chunk(text: str, words: list[str], chunk_tokens: int) -> str:
    """ "" where the text is blank; the first chunk where none has a content word."""
    chunks = cut(text, chunk_tokens)
    return "".join(PassageIndex(chunks).search(words, 1) or chunks[:1])
