"""The pages of a source, in memory, and the best passages of one."""

from collections.abc import Mapping
from pathlib import Path

from annotate.corpus.sentences import sentence_spans
from core.errors import DataError
from core.json_lines import read_objects
from evaluators.methods.base import EvidencePassage
from knowledge.bm25 import PassageIndex
from knowledge.passages import cut_at_sentences
from knowledge.titles import title_key
from knowledge.words import content_words


class Pages:
    """Passages are cut and ranked as those of a site's knowledge source are. A topic finds its page by the title, apart
    from case and white space."""

    def __init__(self, source: Mapping[str, str] | str | Path) -> None:
        """Raises ValueError where a file is none of pages."""
        pages = source if isinstance(source, Mapping) else _read(Path(source))
        self._pages = {title_key(title): (title, text) for title, text in pages.items()}
        self._cut: dict[str, tuple[list[EvidencePassage], PassageIndex]] = {}

    def best(self, topic: str, query: str, count: int) -> list[EvidencePassage]:
        """The best passages of the topic's page, best first; [] where it has none."""
        key = title_key(topic)
        if key not in self._pages:
            return []
        if key not in self._cut:
            title, text = self._pages[key]
            texts = [text[start:end] for start, end in cut_at_sentences(text, sentence_spans(text))]
            self._cut[key] = [EvidencePassage(title, each) for each in texts], PassageIndex(texts)
        passages, index = self._cut[key]
        return [passages[place] for place in index.ranking(content_words(query))[:count]]


def _read(path: Path) -> dict[str, str]:
    """A repeated title is passed over: the first counts. Raises ValueError."""
    pages: dict[str, str] = {}
    try:
        for number, row in read_objects(path):
            title, text = row.get("title"), row.get("text")
            text = " ".join(text) if isinstance(text, list) and all(isinstance(each, str) for each in text) else text
            if not isinstance(title, str) or not isinstance(text, str):
                raise ValueError(f"{path.name}, line {number}: a page has the keys title and text, both texts.")
            pages.setdefault(title, text)
    except DataError as error:
        raise ValueError(str(error)) from error
    return pages
