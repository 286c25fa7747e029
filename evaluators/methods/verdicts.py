"""The verdict of an answer in words: one small grammar for every method that asks for one.

A *class word* ("true", "supported") is a whole verdict, unless a word around it makes it another one: a *negation*
turns it round, a *qualifier* ("partly", "mostly", "not entirely") leaves half of it, and half a verdict is none. In a
*question* it is no verdict, but "yes" or "no" right after it is. Case, emphasis, quotation marks and punctuation at the
end do not matter.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, TypeVar

from stats.baselines import NOT_SUPPORTED, SUPPORTED

Value = TypeVar("Value")
IRRELEVANT = "irrelevant"

# Half of a verdict, where one of these stands before the class word.
QUALIFIER = (
    r"(?:partial(?:ly)?|partly|half|semi|quasi|mostly|mainly|largely|chiefly|primarily|predominantly|overwhelmingly"
    r"|somewhat|nearly|almost|virtually|practically|generally|broadly|substantially|roughly|approximately|essentially"
    r"|basically|technically|fairly|rather|pretty|slightly|marginally|barely|hardly|scarcely|weakly|poorly|loosely"
    r"|sufficiently|insufficiently|incompletely|conditionally|arguably|possibly|perhaps|maybe|potentially|sometimes"
    r"|in parts?|to (?:some|a|an|a certain|a large) (?:extent|degree)|often|usually|only|more|less|mixed|both"
    r"|neither|nor|(?:sort|kind) of|more or less|far from|anything but"
    r"|(?:might|may|could) be|\d{1,2}(?:\.\d+)?\s*%)"
)
# With "not" half of a verdict: not entirely true.
WHOLLY = (
    r"(?:entirely|strictly|quite|completely|fully|wholly|totally|altogether|necessarily|exactly|perfectly|absolutely"
    r"|always|all|explicitly|directly|clearly|well|very|so|100\s*%)"
)
FILLER = r"(?:be|been|being|to|of|a|an|the|as|is|really|actually|factually|considered|deemed|simply|just)"
NEGATION = r"(?:not|never|cannot|no longer|\w+n't)"
GAP = r"[\s,:;()/-]+"
BEFORE = rf"(?:{GAP}(?:{FILLER}|{WHOLLY}|{NEGATION}|\w+ly))*{GAP}$"
QUALIFIED = re.compile(rf"\b{QUALIFIER}{BEFORE}", flags=re.IGNORECASE)
NEGATED = re.compile(
    rf"\b{NEGATION}(?P<between>(?:{GAP}(?:{FILLER}|{WHOLLY}|{QUALIFIER}|{NEGATION}))*){GAP}$", flags=re.IGNORECASE
)
HALVED = re.compile(rf"\b(?:{WHOLLY}|{QUALIFIER}|{NEGATION})(?!\w)", flags=re.IGNORECASE)
# Before the class word in its sentence: what follows is not said to be so.
UNDECIDED = re.compile(
    r"(?:^\W*only (?:the|one|some|its|his|her|their)\b)|\b(?:(?:half|parts?|some|most|much|aspects|portions?) of"
    r"|whether|if|unless|unable|impossible|unclear"
    r"|unknown|unsure|uncertain"
    r"|(?:not|never|cannot|no|\w+n't) (?:\w+ ){0,2}?(?:say|tell|confirm|verify|determine|establish|conclude|know|think"
    r"|believe|state|show|prove|case|sure|certain|clear|evidence|proof|indication|way|reason))\b",
    flags=re.IGNORECASE,
)
PARTLY = (
    r"(?:in (?:part|parts|places)|in (?:some|certain|many|most) \w+|in a (?:\w+ )?(?:sense|way)|in the main"
    r"|by and large"
    r"|to (?:some|a|an|certain) (?:\w+ )?(?:extent|degree)|up to a point|at best|for the most part|on the whole"
    r"|with (?:\w+ ){0,2}(?:caveats?|reservations?|qualifications?|exceptions?|limitations?)"
    r"|not (?:entirely|completely|fully|wholly|quite|altogether|exactly|the whole (?:story|truth))"
    r"|(?:an? )?(?:\w+ )?(?:oversimplifi\w+|misleading|incomplete|imprecise|inexact|exaggerat\w+))"
)
APART_FROM = r"(?:except\w*|apart from|aside from|other than|save for|barring)"
BUT = r"(?:but|though|although|and|yet|albeit|if|however|still|well|rather|that said)"
IT_IS = r"(?:it(?:'s| is)|(?:this|that|the \w+) is|that's)"
# Behind the class word: the half that it takes back. "Mostly because" gives a reason, "if" a condition.
TAKEN_BACK = re.compile(
    rf"(?:\s+only\b|[\s,]*(?:but )?(?:only )?(?:if|unless|provided|assuming|depending)\b(?! (?:only|any)\b)"
    rf"|[\s,]*but not\b(?! (?:by|because|since|due)\b)|[\s,:;()….–—-]*(?:{BUT}\s+)?(?:{IT_IS}\s+)?(?:(?:only|just)\s+)?"
    rf"(?:(?!only|more|less|both|nor){QUALIFIER}|{PARTLY}|{APART_FROM}|ish)"
    r"\b(?!\s+(?:because|since|due|as|on|by|from|through)\b))",
    flags=re.IGNORECASE,
)
# A sentence of its own that leaves half of the verdict beside it: "But only partly." "The claim is partially true."
HALVING = re.compile(
    rf"\W*(?:{BUT}\b\W*)*(?:{IT_IS}\s+)?(?:(?:only|just|not)\s+)*(?:(?!only\b){QUALIFIER}|{PARTLY})"
    r"(?:\W+(?:not|so|yes|no|true|false|correct|incorrect|right|wrong|accurate|inaccurate|supported|unsupported|though"
    rf"|however))*\W*|\W*(?:{BUT}\b\W*)*{APART_FROM}\b[^,]{{1,40}}",
    flags=re.IGNORECASE,
)
LEAD = re.compile(
    r"\W*(?:(?:yes|no)\b\W+)?(?:(?:[^:.!?\n]*\b)?(?:answer|verdict|output|label|judge?ment|decision|conclusion|result)\b"
    r"(?:\s+is\b)?\W*)?",
    flags=re.IGNORECASE,
)
MODIFIERS = re.compile(rf"(?:\b(?:{NEGATION}|{QUALIFIER}|{WHOLLY}|{FILLER}|\w+ly)(?!\w)\W*)*$", flags=re.IGNORECASE)
CONCLUDING = re.compile(r"\b(?:answer|verdict|conclusion|therefore|thus|hence|overall|so)\b", flags=re.IGNORECASE)
JOINED = re.compile(r"\b(?:and|or|but|yet)\b|^\W*$", flags=re.IGNORECASE)
SENTENCE = re.compile(r"[^\n]*?(?:[.!?;]+(?=[\s)]|$)|\n|$)", flags=re.MULTILINE)
YES_OR_NO = re.compile(r"\W*(yes|no)\b", flags=re.IGNORECASE)
NUMBERED_LINE = re.compile(
    r"\W*(?:(?:statement|claim|fact|segment)s?\s+)?(\d{1,9})(\s*[^\w\s]+|\s)(.*)", flags=re.IGNORECASE
)


@dataclass(frozen=True)
class Vocabulary(Generic[Value]):
    """words: the verdict of each class word. opposites: what "not" makes of a verdict, where it makes one.
    concluding: words before a class word in its sentence that make it the conclusion; ends: only as its last word."""

    words: Mapping[str, Value]
    opposites: Mapping[Value, Value] = field(default_factory=dict)
    concluding: re.Pattern[str] = CONCLUDING
    ends: bool = False

    @cached_property
    def word(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(self.words)})\b", flags=re.IGNORECASE)

    @cached_property
    def choice(self) -> re.Pattern[str]:
        """The question repeated ("True or False?"), which is no answer to it."""
        one = rf"(?:not\s+)?\b(?:{'|'.join(self.words)})\b"
        return re.compile(rf"{one}\s*(?:,\s*{one}\s*,?\s*)*(?:\bor\b|/)\s*{one}\??", flags=re.IGNORECASE)


@dataclass(frozen=True)
class Mention(Generic[Value]):
    """A class word in its place. value: None where it is half a verdict or none. place: the offset of the word; None
    where it is not the word that says the verdict. sentence: the offset of its sentence. opens: its sentence begins
    with it. concludes: it is announced as the conclusion, or stands on a line of its own. is_last: no word of its
    sentence follows."""

    value: Value | None
    place: int | None
    sentence: int
    opens: bool = True
    concludes: bool = False
    is_last: bool = False


TRUTH = Vocabulary({"true": True, "false": False}, {True: False, False: True})
SUPPORT = Vocabulary(
    {"supported": SUPPORTED, "unsupported": NOT_SUPPORTED, "irrelevant": IRRELEVANT},
    {SUPPORTED: NOT_SUPPORTED, NOT_SUPPORTED: SUPPORTED},
)
RELEVANCE = Vocabulary({"relevant": True, "irrelevant": False}, {True: False, False: True})
YES_NO = Vocabulary(
    {"yes": True, "no": False}, concluding=re.compile(r"\b(?:answer|verdict)\b", flags=re.IGNORECASE), ends=True
)


def settle(text: str, vocabulary: Vocabulary[Value], *, cut_off: bool = False) -> Mention[Value] | None:
    """The mention that is the answer's verdict; None where there is none.

    That is the first, if its sentence opens with it; else the last that concludes. Of an answer that was cut off only
    the first counts. Words before the first mention make no difference.
    """
    mentions = find_mentions(text, vocabulary)
    if mentions and mentions[0].opens:
        return mentions[0]
    return next((mention for mention in reversed(mentions) if mention.concludes), None) if not cut_off else None


def settle_freely(text: str, vocabulary: Vocabulary[Value], *, cut_off: bool = False) -> Mention[Value] | None:
    """As `settle`; where nothing opens or concludes, what all mentions agree on."""
    settled = settle(text, vocabulary, cut_off=cut_off)
    mentions = find_mentions(text, vocabulary)
    if settled is None and not cut_off and len({mention.value for mention in mentions}) == 1:
        return mentions[0]
    return settled


def opening(text: str, vocabulary: Vocabulary[Value]) -> Mention[Value] | None:
    """The mention with which the text opens; None where it opens with none."""
    first = next(iter(find_mentions(text, vocabulary)), None)
    return first if first and first.opens and not re.search(r"\w", text[: first.sentence]) else None


def read_numbered(text: str, vocabulary: Vocabulary[Value]) -> Iterator[tuple[int, Mention[Value] | None]]:
    """The number of each numbered line and the verdict that it opens with; None where it opens with none."""
    for line in filter(None, map(NUMBERED_LINE.fullmatch, text.splitlines())):
        settled = settle(line[3], vocabulary)
        if settled is not None or line[2].strip():
            yield int(line[1]), settled


def find_mentions(text: str, vocabulary: Vocabulary[Value]) -> list[Mention[Value]]:
    """All class words of the text in their order but those of questions."""
    level = vocabulary.choice.sub(lambda choice: " " * len(choice.group()), _level(text))
    sentences = [sentence for sentence in SENTENCE.finditer(level) if re.search(r"\w", sentence.group())]
    mentions: list[Mention[Value]] = []
    for place, sentence in enumerate(sentences):
        words = list(vocabulary.word.finditer(level, *sentence.span()))
        if sentence.group().rstrip().endswith("?"):
            mentions += _answered(level, sentence, words, vocabulary)
            continue
        found = list(_mentions_of(level, sentence, words, vocabulary))
        beside = [other.group() for other in (*sentences[max(0, place - 1) : place], *sentences[place + 1 : place + 2])]
        if len(found) == 1 and found[0].is_last and any(map(HALVING.fullmatch, beside)):
            found = [replace(found[0], value=None, place=None)]
        mentions += found
    return mentions


def _mentions_of(
    level: str, sentence: re.Match[str], words: list[re.Match[str]], vocabulary: Vocabulary[Value]
) -> Iterator[Mention[Value]]:
    read = [_value_of(level, sentence, word, vocabulary) for word in words]
    begin = sentence.start()
    for place, (word, value) in enumerate(zip(words, read, strict=True)):
        before, after = level[sentence.start() : word.start()], level[word.end() : sentence.end()]
        opens = not place and LEAD.fullmatch(MODIFIERS.sub("", before)) is not None
        if opens and any(
            other != value and JOINED.search(level[word.end() : next_word.start()])
            for next_word, other in zip(words[1:], read[1:], strict=True)
        ):
            value = None
        is_last = not re.search(r"\w", after)
        alone = opens and is_last and not level[level.rfind("\n", 0, begin) + 1 : begin].strip()
        announced = vocabulary.concluding.search(level, begin, word.start()) is not None
        negated = NEGATED.search(before) is not None
        yield Mention(
            value,
            None if negated or value is None else word.start(),
            sentence.start(),
            opens,
            alone or (announced and (is_last or not vocabulary.ends)),
            is_last,
        )
        begin = word.end()


def _value_of(level: str, sentence: re.Match[str], word: re.Match[str], vocabulary: Vocabulary[Value]) -> Value | None:
    before, after = level[sentence.start() : word.start()], level[word.end() : sentence.end()]
    value = vocabulary.words[word.group().lower()]
    if UNDECIDED.search(before) or QUALIFIED.search(before) or TAKEN_BACK.match(after):
        return None
    negated = NEGATED.search(before)
    if negated is None:
        return value
    return None if HALVED.search(negated["between"]) else vocabulary.opposites.get(value)


def _answered(
    level: str, sentence: re.Match[str], words: list[re.Match[str]], vocabulary: Vocabulary[Value]
) -> list[Mention[Value]]:
    """The verdict of a question with one class word that is answered at once."""
    answer = YES_OR_NO.match(level, sentence.end())
    if len(words) != 1 or answer is None:
        return []
    value = vocabulary.words[words[0].group().lower()]
    return [Mention(value if answer[1].lower() == "yes" else vocabulary.opposites.get(value), None, sentence.start())]


def _level(text: str) -> str:
    """The text without emphasis and quotation marks, each character in its place."""
    plain = re.sub(r"[*`\"“”„«»~#|\\]", " ", text).replace("’", "'")
    return re.sub(r"(?<=\w)[-_](?=\w)|_|(?<!\w)'|'(?!\w)", " ", plain)
