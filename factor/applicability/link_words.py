"""Words that link statements in time or as cause and effect (FACTOR appendix A.1; a set of our own)."""

import re

TEMPORAL = (
    *("after", "afterwards", "before", "beforehand", "during", "eventually", "finally", "following", "formerly"),
    *("later", "meanwhile", "once", "previously", "since", "subsequently", "then", "thereafter", "until", "till"),
    *("upon", "when", "whenever", "while", "whilst"),
    *("ahead of", "as long as", "as soon as", "at the same time", "by the time", "ever since", "from then on"),
    *("in advance of", "in the meantime", "in the wake of", "no sooner", "prior to", "shortly after", "until then"),
)
CAUSAL = (
    *("accordingly", "because", "consequently", "hence", "thereby", "therefore", "thus"),
    *("as a consequence", "as a result", "because of", "caused by", "due to", "for that reason", "for this reason"),
    *("in order to", "in response to", "leading to", "led to", "on account of", "on the grounds that", "owing to"),
    *("resulted from", "resulted in", "resulting in", "so as to", "so that", "thanks to"),
)
# The longer first: "because of" is not found as "because".
_LINK = re.compile(
    r"\b(?:"
    + "|".join(r"\s+".join(words.split()) for words in sorted(TEMPORAL + CAUSAL, key=len, reverse=True))
    + r")\b",
    flags=re.IGNORECASE,
)


def link_words_in(sentence: str) -> list[str]:
    """The link words of the sentence, as they stand there, in order."""
    return [" ".join(match.group().split()) for match in _LINK.finditer(sentence)]
