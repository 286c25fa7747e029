"""Names of figures on a page: heads of numbers in tables, and terms. Each links to its section of the definitions."""

from html.parser import HTMLParser

from django.urls import reverse

# Tables whose heads are the names of slices, evaluators or values.
OTHER_HEADS = ("F1 by slice", "all pairs", "Accuracy by", "Completions of example")
# Heads of numbers that are no figures of a dataset.
OTHER_NUMBERS = ("No.", "Parameters")


def check_figure_names(page: str, *some: str, terms: bool = False) -> None:
    """All names of figures on the page link to their definitions, and `some` are among them. terms: of lists too."""
    parser = FigureNames(terms)
    parser.feed(page)
    names = [(name, linked) for name, linked in parser.names if name not in OTHER_NUMBERS]
    assert set(some) <= {name for name, _ in names}, names
    assert [name for name, linked in names if not linked] == []


class FigureNames(HTMLParser):
    """Collects (name, whether it links to the definitions) of heads of numbers, or of terms."""

    def __init__(self, terms: bool) -> None:
        super().__init__()
        self._terms = terms
        self.names: list[tuple[str, bool]] = []
        self._definitions = reverse("how-computed") + "#"
        self._tag, self._text, self._linked = "", "", False
        self._passed = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = {key: value or "" for key, value in attrs}
        classes = own.get("class", "").split()
        if own.get("role") == "region":
            self._passed = any(words in own["aria-label"] for words in OTHER_HEADS)
        if tag == "table" and "confusion" in classes:
            self._passed = True
        head = tag == "th" and own.get("scope") == "col" and "num" in classes and not self._passed
        if head or (tag == "dt" and self._terms):
            self._tag, self._text, self._linked = tag, "", False
        if tag == "a" and own.get("href", "").startswith(self._definitions):
            self._linked = True

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == self._tag and tag in ("th", "dt"):
            words = " ".join(self._text.split())
            self.names.append((words.removesuffix("?").partition("How it is computed")[0].strip(), self._linked))
            self._tag = ""
        if tag == "table":
            self._passed = False
