"""Telling a response that answers from one that declines to (FActScore §3.1).

Plain text in. See docs/methods.md, Abstention.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

ABSTAINED = "abstained"
RULED, GENERIC, PERPLEXITY_AI, NO_DETECTOR = "rules", "generic", "perplexity_ai", "none"

APOLOGY = re.compile(r"\s*(?:I['’]m|I am) sorry\b|\s*Sorry,|\s*I apologi[sz]e\b")
ASKS_FOR_MORE = re.compile(r"\bprovide (?:me |us )?(?:with )?more\b")

# That nothing was found, as models with a search of the web say it, at the beginning of a sentence.
SOURCES = (
    r"(?:(?:web )?search(?:es)?(?: results?)?|results?|sources?|documents?|articles?|passages?|(?:web ?)?pages?"
    r"|context)"
)
KNOWN = (
    r"(?:information|infos?|details?|data|records?|results?|sources?|matches|mentions?|biography|biographical|trace"
    r"|material)"
)
SOME = r"(?:(?!(?:his|her|their|its) )[\w’'-]+ ){0,4}?"
NOT = r"(?: not|n['’]t)"
OPENING = (
    r"(?:\A|[.!?:;]\s|, but )\s*(?:(?:unfortunately|sadly|regrettably|however|but|apologies|sorry)\b[,:]? "
    rf"|(?:based on|according to|from|in|among|after|despite|given) [^,.]{{0,80}}(?:{SOURCES}|look)[^,.]{{0,40}}, "
    r"|as of [^,.]{1,40}, |it (?:seems|appears|looks) (?:that |like )?|I['’]m afraid (?:that )?)*"
)
# "I could not find any information", "I don't have enough information", "I have found no records"
I_FOUND_NONE = (
    rf"(?:I|we) (?:(?:(?:could|did|was|were){NOT}|cannot|can['’]t|failed|am|was|were)(?: able| unable)?(?: to)? "
    rf"(?:find|locate|retrieve|identify|see) (?:out who |{SOME}(?:{KNOWN}|any(?:one|thing)|person|public figure))\b"
    rf"|(?:do|did){NOT} (?:(?:have|find|see|get) (?:any|enough|sufficient) {SOME}{KNOWN}\b|know (?:of )?(?:who|any))"
    rf"|have (?:found )?no {SOME}{KNOWN}\b|cannot (?:write|provide) (?:a|any) bio)"
)
# "There is no information", "No records were found", "Information on him could not be found"
THERE_IS_NONE = (
    rf"(?:there(?: is|['’]s| are| was| were| seems? to be| appears? to be| do(?:es)?{NOT} (?:seem|appear) to be)"
    rf" (?:no|not enough|insufficient|currently no|any) {SOME}(?:{KNOWN}|search results)\b"
    rf"|no {SOME}(?:{SOURCES}|{KNOWN})\b[^.]{{0,60}}\b(?:found|available|provided|returned|exists?|located|about|on)\b"
    rf"|no (?:relevant )?(?:search )?results\b"
    rf"|{KNOWN} (?:about|on|for|regarding) [^.]{{1,60}} (?:could{NOT}|cannot) be (?:found|located)"
    r"|nothing [^.]{0,30}\b(?:found|came up|turned up|available)\b)"
)
# "None of the search results", "The search results do not mention", "My search returned no results"
SOURCES_SAY_NONE = (
    rf"(?:(?:none|not one) of (?:the |these |my )?{SOME}{SOURCES}\b|(?:the |these |my |this )?{SOME}{SOURCES} "
    rf"(?:above |provided |given |I found |returned )?(?:(?:do|does|did){NOT} (?:\w+ )?(?:provide|contain|mention"
    r"|include|return|yield|offer|give|turn up|show|have|refer|list|name|cover|discuss|say|tell|identify|reveal)"
    r"|(?:contain|include|provide|return|offer|yield|turn|have|has)(?:s|ed)?(?: up)? (?:no|nothing)"
    rf"|lack(?:s|ed)? {SOME}{KNOWN})\b)"
)
# Nothing about a part of it ("about her youth") is no abstention.
PART = r"(?:his|her|their|its) (?!(?:in|on|at|from|among|by|with|and|or)\b)\w"
NOTHING_FOUND = re.compile(
    rf"{OPENING}(?:{I_FOUND_NONE}|{THERE_IS_NONE}|{SOURCES_SAY_NONE})"
    rf"(?![^.]{{0,40}}\b(?:about|on|of|regarding|concerning|for|mention) {PART})(?! {PART})",
    flags=re.IGNORECASE,
)
# The subject is in none of the sources; what is said of it may be ("her birthday").
NOT_AMONG = re.compile(
    rf"{OPENING}(?!(?:his|her|their|its)\b)(?:(?!['’]s )[^.]){{1,80}}? (?:is|are|was|were|does|do|did){NOT} "
    rf"(?:\w+ )?(?:mention(?:ed)?|found|listed|named|included|covered|described|identified|discussed|appear|provided"
    rf"|available|present) {SOME}(?:in|among|by|within) {SOME}{SOURCES}\b",
    flags=re.IGNORECASE,
)
CITATION = re.compile(r"\s*\[[0-9]+\]\s*")

# What the published detector for PerplexityAI looks for, in any case.
PHRASES = (
    "i could not find any information",
    "the search results do not provide",
    "there is no information",
    "there are no search results",
    "there are no provided search results",
    "not provided in the search results",
    "is not mentioned in the provided search results",
    "there seems to be a mistake in the question",
    "not sources found",
    "no sources found",
    "try a more general question",
)


def found_nothing(text: str) -> bool:
    """Whether a sentence of the first paragraph begins with nothing having been found, or its first one says that the
    subject is in none of the sources; citations left out."""
    first = CITATION.sub(" ", text.strip().partition("\n\n")[0])
    return bool(NOTHING_FOUND.search(first) or NOT_AMONG.match(first))


def is_generic(text: str) -> bool:
    """The published detector `generic`: case counts, and only the straight apostrophe."""
    return text.startswith("I'm sorry") or "provide more" in text


def is_of_perplexity_ai(text: str) -> bool:
    """The published detector `perplexity_ai`: a phrase in the first paragraph, or none in it at all. A citation takes
    the white space around it with it, empty lines too."""
    first = CITATION.sub("", text).lower().partition("\n\n")[0]
    return not first.strip() or any(phrase in first for phrase in PHRASES)


# Rules by their names in parameters; the rule for texts without a fact needs the facts, not the text.
RULES: dict[str, Callable[[str], object]] = {
    "abstain_apology": APOLOGY.match,
    "abstain_asks_more": ASKS_FOR_MORE.search,
    "abstain_nothing_found": found_nothing,
}
NO_FACT = "abstain_no_fact"
DETECTORS: dict[str, Callable[[str], bool]] = {
    GENERIC: is_generic,
    PERPLEXITY_AI: is_of_perplexity_ai,
    NO_DETECTOR: lambda text: False,
}


def abstains(text: str, parameters: Mapping[str, Any]) -> bool:
    """Whether the detector says so, or of our rules one that is on; all are where an evaluator does not take them as
    parameters. A text of white space says nothing under any."""
    if not text.strip():
        return True
    if (detector := DETECTORS.get(parameters.get("abstention", RULED))) is not None:
        return detector(text)
    return any(parameters.get(name, True) and rule(text) for name, rule in RULES.items())
