"""A table of F1 for each file, a line a language: `python -m bench.sentences`.

Segmenters that are not installed are left out (`pip install icu4py pysbd`).
"""

from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec

from annotate.corpus.sentences import sentences
from bench.sentences import FILES, borders, f1, joined, read_gold

PUNKT = {"ru": "russian", "el": "greek", "es": "spanish", "de": "german", "fr": "french"}
Cut = Callable[[str, str], Iterable[str]]


def segmenters() -> Iterator[tuple[str, Cut]]:
    """By name, each from a language and a text to its sentences."""
    yield "Punkt, English", lambda language, text: punkt("english", text)
    yield "Punkt", lambda language, text: punkt(PUNKT[language], text)
    import sentencex

    yield "sentencex", sentencex.segment
    if find_spec("icu4py"):
        from icu4py.breakers import SentenceBreaker

        yield "ICU", lambda language, text: SentenceBreaker(text, f"{language}-u-ss-standard")
    if find_spec("pysbd"):
        import pysbd

        yield "pySBD", lambda language, text: pysbd.Segmenter(language=language).segment(text)
    yield "ours", lambda language, text: sentences(text)


def punkt(name: str, text: str) -> list[str]:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
    from punkt import load_model

    model, parameters = load_model(name), PunktParameters()
    for field in ("abbrev_types", "collocations", "sent_starters"):
        setattr(parameters, field, set(getattr(model, field)))
    parameters.ortho_context.update(model.ortho_context)
    return PunktSentenceTokenizer(parameters).tokenize(text)


def main() -> None:
    cutters = dict(segmenters())
    for name in FILES:
        print(f"| {name} | sentences | {' | '.join(cutters)} |")
        for language, texts in read_gold(name).items():
            figures = " | ".join(measured(cut, language, texts) for cut in cutters.values())
            print(f"| {language} | {sum(map(len, texts))} | {figures} |")


def measured(cut: Cut, language: str, texts: list[list[str]]) -> str:
    """F1 in percent; a dash for a language that the segmenter does not know."""
    try:
        pairs = [
            (borders(text, gold), borders(text, cut(language, text)))
            for gold in texts
            for text in [joined(language, gold)]
        ]
    except (KeyError, ValueError):
        return "–"
    return f"{100 * f1(pairs):.0f}"


if __name__ == "__main__":
    main()
