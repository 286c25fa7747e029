"""The words of a text that carry its content."""

import re
import unicodedata

WORD = re.compile(r"\d+(?:\.\d+)+|[^\W_]+(?:'[^\W_]+)*")
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
# English function words, negations among them: that a word is absent says nothing about a denial. Two that in lower
# case look like names are not: May and US.
STOP_WORDS = frozenset(
    """
    a about above after again against all also although am among an and another any are aren't as at
    be because been before being below between both but by can can't cannot could couldn't
    did didn't do does doesn't doing don't down during each either else etc even ever every few for from further
    had hadn't has hasn't have haven't having he he'd he'll he's her here hers herself him himself his how however
    i i'd i'll i'm i've if in into is isn't it it's its itself just let's me might more most much must my myself
    neither no nor not of off often on once one only onto or other others ought our ours ourselves out over own
    per quite rather same shall she she'd she'll she's should shouldn't since so some such
    than that that's the their theirs them themselves then there there's therefore these they they'd they'll they're
    they've this those though through thus to too toward towards under until up upon very via
    was wasn't we we'd we'll we're we've were weren't what what's when where whether which while who who's whom whose
    why will with within without won't would wouldn't yes yet you you'd you'll you're you've your yours yourself
    """.split()  # noqa: SIM905 - a list is read more easily without its quotes
)


def content_spans(text: str) -> list[tuple[int, int]]:
    """Where the words other than stop words stand in the text, in characters, without a possessive 's."""
    matches = ((match.start(), match.group()) for match in WORD.finditer(text.replace("’", "'")))
    return [
        (start, start + len(word.removesuffix("'s"))) for start, word in matches if word.casefold() not in STOP_WORDS
    ]


def content_words(text: str) -> list[str]:
    """The words of the text in order, in lower case and without a possessive 's, stop words left out.

    Numbers count: 1,000 and 1000 are one word, and so is 3.14.
    """
    plain = unicodedata.normalize("NFKC", text).replace("’", "'").casefold()
    words = WORD.findall(THOUSANDS.sub("", plain))
    return [word.removesuffix("'s") for word in words if word not in STOP_WORDS]
