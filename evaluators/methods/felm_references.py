"""The references of a response as FELM's evaluators show them to a model: their addresses, or their text."""

from collections.abc import Sequence

from evaluators.methods.base import Case
from knowledge.bm25 import PassageIndex
from knowledge.passages import TOKEN, WORD, cut_span
from knowledge.words import content_words

# tokens: runs of letters and digits, and every other sign. words: what white space divides.
TOKENIZERS = {"tokens": TOKEN, "words": WORD}


def show_links(case: Case) -> str:
    """The addresses, one a line, each once; "" where there is none."""
    return "\n".join(dict.fromkeys(reference.url for reference in case.references if reference.url))


def show_document(case: Case, chunk_tokens: int, tokenizer: str) -> str:
    """The chunk of each reference that bears most on the question and its answer, in the order of the references.

    The documents are cut into chunks of so many tokens, and the best is found by BM25 (FELM appendix D). "" where no
    reference has contents.
    """
    words = content_words(f"{case.prompt}\n" + "\n".join(case.segments))
    chunked = (cut_tokens(reference.content or "", chunk_tokens, tokenizer) for reference in case.references)
    return "\n\n".join(dict.fromkeys(best_chunk(chunks, words) for chunks in chunked if chunks))


def cut_tokens(text: str, most: int, tokenizer: str) -> list[str]:
    """The text in consecutive chunks of at most so many tokens, each verbatim; none for a blank text."""
    return [text[start:end] for start, end in cut_span(text, (0, len(text)), most, TOKENIZERS[tokenizer])]


def best_chunk(chunks: Sequence[str], words: Sequence[str]) -> str:
    """The first of them where none has a content word."""
    return (PassageIndex(chunks).search(words, 1) or chunks)[0]
