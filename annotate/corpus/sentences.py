"""Sentences of a text in any language; what Markdown sets apart stays so (docs/methods.md, Sentences).

English is cut by NLTK's Punkt, every other language by sentencex. What both get wrong is put right here: marks that
close a sentence, abbreviations, and formulas and code within a line.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING
from unicodedata import category

from annotate.corpus.blocks import blocks_of
from annotate.corpus.languages import ENGLISH, UNSPACED, language_of, script_of
from core.light_nltk import load_nltk

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

Span = tuple[int, int]

WORD = re.compile(r"\w")
# A fence with the name of a language, and no code.
EMPTY_FENCE = re.compile(r"(```|~~~)[^\S\n]*\w*\s*(?:\1)?")
NUMBER = re.compile(r"[0-9]{1,3}[.)]")
KEY = r"[*_]{0,2}[^\W\d_a-z][^\n:：.!?。]{0,40}[*_]{0,2}(?::[*_]{0,2}[ \t]+|：)(?=\S)"
# Before a line that begins a sentence: an item of a list, or "Key: value".
BEFORE_LINE = re.compile(rf"(?<=\n)(?=[ \t>]*(?:(?:[0-9]{{1,3}}[.)]|[•‣◦▪●–—])[ \t]+\S|{KEY}))")
# After "Key: value", and after a line in bold, unless the next line goes on with it.
AFTER_LINE = re.compile(
    rf"(?m)^[ \t>]*(?:{KEY}.{{0,60}}|\*\*[^*\n]{{1,100}}\*\*:?)[ \t]*$(?=\n[ \t>]*[^a-z\s])",
)
AFTER_ANY_LINE = re.compile(r"\n")
# Full stops of scripts that the segmenter of another language does not know.
STOP = re.compile(r"[。！？｡।॥۔؟]+")
# Ends that the segmenter passes over: before the end of a quotation, after an ellipsis where another begins there;
# before a number; and in brackets that hold whole sentences.
WIDE_STOP = re.compile(
    r"[。！？][”’」』]|(?:…|\.{2,})[”’」』](?=[“‘「『])|[。！？](?=[0-9])|(?:^|(?<=[。！？!?\n]))[（(][^（）()\n]+。[）)]"
)
# Behind it a sentence of EAST_ASIAN goes on: it may end there or not, and a wrong cut is worse than none. Korean tells
# by the ending of the verb.
ELLIPSIS = re.compile(r"(?<![다.…])(?:…+|\.{2,})$")
EAST_ASIAN = ("ja", "ko", "zh")
ENDED_VERB = re.compile(r"다…+(?=\s)")
# What follows where it ends all the same: a new line, or another quotation.
AFTER_ELLIPSIS = re.compile(r"[^\S\n]*(?:\n|$)|(?<=[”’」』])[“‘「『]")
# What closes a sentence after its full stop: quotation marks, brackets, emphasis, and marks of citations.
CLOSING = re.compile(
    r"(?:[”’»\"')\]}」』）】》〉]|[*_~`]{1,3}(?=[\s”\"')\]]|$)|[¹²³⁴-⁹⁰]"
    r"|[ \t]?\[\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\](?![(:]))+"
)
# Code, strings of a line of code, formulas, links and addresses within a line.
WHOLE = re.compile(
    r"(`+)(?!`)[^`].{0,2000}?(?<!`)\1(?!`)|(?:[=(\[{]\s?|\breturn )(?P<quote>[\"'])[^\"'\n]{1,500}(?P=quote)"
    r"|\$\$.{1,2000}?\$\$|\\[\[(](?:(?!\\[\[(]).){1,2000}?\\[\])]|\$(?=\S)[^$\n]{1,200}(?<=\S)\$(?!\w)"
    r"|!?\[[^\]\n]{1,300}\]\([^)\s]{0,500}\)|https?://\S*[^\s.,;:!?'\")\]”’»]",
    re.DOTALL,
)
# What ends with a full stop and ends no sentence: by language, "" for all of them.
NOT_AT_END = {
    "": r"(?<!\w)(?:i\. ?e|e\. ?g|viz|cf)\.|\([A-Za-z]{1,4}\.|(?<!\w)[A-Z]\. [A-Z]\.",
    "de": r"(?<!\w)(?i:d(?:er|ie|as|em|en|es)|[ia]m|zu[mr]|vom|beim|bis|seit) \d{1,3}\."
    r"|(?<!\w)(?:Fa|Nr|Bd|Abs|Art|Hr|Fr)\.",
    "es": r"(?<!\w)(?:n|N|Av|Sr|Sra|Dr|Dra|Ud|Uds|pág|núm)\.",
    "fr": r"(?<!\w)(?:Dr|Mr|Pr|St|Ste|av|apr|env|J)\.",
    "ko": r"\d\.",
    "ru": r"(?<!\w)(?:ок|тыс|млн|млрд|ул|им|см|т\. ?е|т\. ?к)\.",
    "th": r"(?<![\u0e01-\u0e4e])[\u0e01-\u0e4e]{1,3}\.",
    "hi": r"(?<![\u0900-\u097f])[\u0900-\u0963\u0970-\u097f]{1,4}\.",
}
LOOKED_BACK = 40
# A letter alone with a full stop is an initial or an abbreviation.
INITIAL = re.compile(r"(?<!\w)[^\W\d_]\.$")
# How the sentence goes on behind what is quoted in it.
AFTER_QUOTATION = re.compile(
    r"\s?(?:と|って|の|を|的|이?라[고는며]|하고|[은는을를]\s|[^\s，。！？“”]{0,3}[说問问道喊]|[—–-]\s?[a-zà-ÿ])"
)
CLOSED = "”’»\"')]}」』）】》〉*_~"
GERMAN_DATE = re.compile(
    r"(?<!\d)\s?\d{1,2}\.\s(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b"
)
THAI_CONJUNCTION = re.compile(r"(?:และ|หรือ|แต่|ซึ่ง|โดย|ที่|เพราะ|เพื่อ|กับ|ว่า|รวมถึง)")
THAI_LETTER = re.compile(r"[\u0e01-\u0e4e]")
LEAST_OF_THAI = 15


def sentence_spans(text: str, language: str = "") -> Iterator[Span]:
    """The half-open offsets of each segment in code points, white space at both ends left out; none for a blank text.

    What Markdown sets apart (annotate/corpus/blocks.py) is a segment, and prose in it its sentences. language: a key of
    LANGUAGES; "": as detected. Blocks in another script are cut by the rules of their own language. What has neither a
    letter nor a digit, and a fence without code, goes to the segment before it, at the beginning to the one after.
    """
    held: Span | None = None
    for start, end in _spans(text, language):
        if held and not (_is_said(text, *held) and _is_said(text, start, end)):
            held = held[0], end
            continue
        if held:
            yield held
        held = start, end
    if held:
        yield held


def _is_said(text: str, start: int, end: int) -> bool:
    return WORD.search(text, start, end) is not None and not EMPTY_FENCE.fullmatch(text, start, end)


def _spans(text: str, language: str) -> Iterator[Span]:
    language = language or language_of(text)
    script = script_of(text)
    for block in blocks_of(text):
        if not block.is_prose:
            yield from _stripped(text, [(block.start, block.end)])
            continue
        prose = text[block.start : block.end]
        own = language if script_of(prose) == script else language_of(prose)
        yield from ((block.start + start, block.start + end) for start, end in prose_spans(prose, own))


def prose_spans(text: str, language: str = ENGLISH) -> Iterator[Span]:
    """Likewise of a text that is no Markdown. A numbered item of a list begins a sentence, and its number is none."""
    numbered: int | None = None  # where the number that waits for its item begins
    for start, end in _stripped(text, pairwise([0, *_borders(text, language), len(text)])):
        if NUMBER.fullmatch(text, start, end) and numbered is None:
            numbered = start
            continue
        yield start if numbered is None else numbered, end
        numbered = None
    if numbered is not None:
        yield numbered, end


def sentences(text: str, language: str = "") -> list[str]:
    """The segments in reading order, without white space around them."""
    return [text[start:end] for start, end in sentence_spans(text, language)]


def punkt_sentences(text: str) -> list[str]:
    """As Punkt alone cuts them: the number of a list's item is a sentence, or the end of one."""
    return [text[start:end] for start, end in _stripped(text, _tokenizer().span_tokenize(text))]


def _borders(text: str, language: str) -> list[int]:
    """Where a sentence ends and something follows it."""
    ends = {end for end in _segmenter_ends(text, language) if not _goes_on(text, end, language)}
    lines = [BEFORE_LINE, AFTER_LINE, *([AFTER_ANY_LINE] if language == "ja" or language in UNSPACED else ())]
    ends |= {match.end() for pattern in lines for match in pattern.finditer(text)}
    for whole in WHOLE.finditer(text):
        ends -= {end for end in ends if whole.start() < _before_closing(text, end) < whole.end()}
    return sorted({_after_closing(text, end) for end in ends})


def _segmenter_ends(text: str, language: str) -> Iterator[int]:
    """The ends of sentences as the segmenter of the language finds them."""
    if language == ENGLISH:
        yield from (end for _, end in _tokenizer().span_tokenize(text))
        yield from (match.end() for match in STOP.finditer(text))
        return
    import sentencex

    for sentence in sentencex.get_sentence_boundaries(language, text):
        yield sentence["start_index"] + len(sentence["text"].rstrip())
    yield from (match.end() for match in WIDE_STOP.finditer(text))
    if language == "ko":
        yield from (match.end() for match in ENDED_VERB.finditer(text))
    if language == "th":
        yield from _ends_of_thai_clauses(text)


def _ends_of_thai_clauses(text: str) -> Iterator[int]:
    """Thai has no full stop: a space ends a sentence where something long stands on both of its sides."""
    begun = 0
    for (_, end), (start, after) in pairwise(match.span() for match in re.finditer(r"\S+", text)):
        if (
            THAI_LETTER.match(text, start)
            and not THAI_CONJUNCTION.match(text, start)
            and len(THAI_LETTER.findall(text, begun, end)) >= LEAST_OF_THAI
            and len(THAI_LETTER.findall(text, start, after)) >= LEAST_OF_THAI
        ):
            begun = start
            yield end


def _goes_on(text: str, end: int, language: str) -> bool:
    """Whether the sentence goes on behind what looks like its end."""
    after = _after_closing(text, end)
    ended = text[max(0, after - LOOKED_BACK) : _before_closing(text, after)]
    if _not_at_end(language).search(ended) or GERMAN_DATE.match(text, max(0, end - 3)):
        return True
    following = text[after : after + 1]
    if not following or not ended:
        return False
    if following in ",;，、；" or language == ENGLISH:
        return following in ",;，、；"
    if language in EAST_ASIAN and ELLIPSIS.search(ended) and not AFTER_ELLIPSIS.match(text, after):
        return True
    if text[after - 1] in "》〉":  # the mark is that of a title
        return True
    if AFTER_QUOTATION.match(text, after) and not ended.endswith(text[after - 1]):
        return True
    if ended[-1] == "." and (text[after : after + 2].lstrip()[:1].islower() or _ends_with_initial(ended)):
        return True
    # Within a word or a number.
    script = script_of(following)
    may_join = not STOP.match(ended[-1]) and not (script == "zh" and ended[-1] in "!?")
    return may_join and following.isalnum() and script == script_of(ended[-2:-1])


def _ends_with_initial(text: str) -> bool:
    found = INITIAL.search(text)
    # A vowel sign is no letter to `re`, and makes what follows it a part of its word.
    return found is not None and not category(text[found.start() - 1 : found.start()] or " ").startswith("M")


def _before_closing(text: str, end: int) -> int:
    start = max(0, end - LOOKED_BACK)
    return start + len(text[start:end].rstrip(CLOSED))


def _after_closing(text: str, end: int) -> int:
    closing = CLOSING.match(text, end)
    return closing.end() if closing else end


@cache
def _not_at_end(language: str) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(filter(None, (NOT_AT_END[''], NOT_AT_END.get(language))))})$")


def _stripped(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    for start, end in spans:
        piece = text[start:end]
        if stripped := piece.strip():
            lead = len(piece) - len(piece.lstrip())
            yield start + lead, start + lead + len(stripped)


@cache
def _tokenizer() -> "PunktSentenceTokenizer":
    # Here, not above: NLTK takes a second to load, and most commands cut nothing.
    punkt = load_nltk("tokenize.punkt")
    from punkt import load_model

    # NLTK's own parameters come by a download that a fresh machine cannot make; these are equal to them.
    model = load_model("english")
    parameters = punkt.PunktParameters()
    parameters.abbrev_types = set(model.abbrev_types)
    parameters.collocations = set(model.collocations)
    parameters.sent_starters = set(model.sent_starters)
    parameters.ortho_context.update(model.ortho_context)
    tokenizer: PunktSentenceTokenizer = punkt.PunktSentenceTokenizer(parameters)
    return tokenizer
