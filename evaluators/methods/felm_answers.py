"""Reading which lines of a list, segments or claims, an answer calls errors, under each protocol profile.

Every parser takes the answer's text and how many lines there are. It returns the flagged lines, counted from 0; None
where the answer cannot be parsed. A chain of thought has parsers of its own.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from llm.answer import CUT_OFF, REFUSED, UNREADABLE, Answer

Parser = Callable[[str, int], frozenset[int] | None]

ALL_CORRECT = "ALL_CORRECT"
ESCAPED_ALL_CORRECT = r"ALL\_CORRECT"
NONE_FLAGGED: frozenset[int] = frozenset()
INCOMPLETE = frozenset({CUT_OFF, REFUSED, UNREADABLE})
CHAT_READER, VICUNA = "chat", "vicuna"
LONGEST_ID = 9
DECORATION = re.compile(r"[*`\"'\[\](){}“”„«»#\\]")
# "Answer" and "and" in the languages of models that are asked in English and answer in another.
ANSWER_WORD = (
    r"(?:answers?|antworten|antwort|antwoord|réponses?|reponses?|respuestas?|respostas?|risposte|risposta|odpowiedź"
    r"|odpověď|svar|vastaus|válasz|cevap|yanıt|jawaban|đáp án|trả lời|ответы|ответ|відповідь|απάντηση|答案|回答|答え|答"
    r"|정답|답변|답|उत्तर|الإجابة|الجواب)"
)
LEAD = r"(?:(?:the|my|your|final|correct|die|der|la|le|el|een|het) )*"
ANSWER_LINE = re.compile(
    rf"^{LEAD}{ANSWER_WORD}(?: (?:is|are|ist|est|es|è|é)\b|是|は|为|：)? *:? *", flags=re.IGNORECASE
)
AND = r"(?:and|und|et|y|e|i|en|och|og|ja|ve|и|та|και|و|和|与|與|及|と|및)"
LINE_WORD = r"(?:(?:(?:incorrect|wrong|false) )?(?:segment|claim)(?:s|e|en|os)?(?: with errors?)? *:? *|errors?: *)?"
IDS = re.compile(
    rf"{LINE_WORD}\d+(?:(?: *[,;&،] *(?:{AND} )?| {AND} | *[和与與及と] *){LINE_WORD}\d+)*", flags=re.IGNORECASE
)
SAYS_ALL_CORRECT = re.compile(
    r"all[ _]*correct|all (?:of )?(?:the |these |them )?(?:segments |claims )?(?:(?:are|is) )?(?:all )?correct"
    r"|no (?:factual )?errors?(?: found)?|no (?:(?:incorrect|wrong|false) )?(?:segment|claim)s?|none(?: of them)?"
    r"|none(?: of (?:the |these )?(?:them|segments|claims))? (?:contains?|has|have) (?:any |an )?(?:factual )?errors?"
    r"|keine?|aucune?|ningun[oa]|nenhum[a]?|nessuno|nessuna|нет|无|無|没有|なし|全部正确|全部正確|全て正しい|없음",
    flags=re.IGNORECASE,
)
ANY_DIGITS = re.compile(r"\d+")
RELEASED_MARK = "Answer: "
PAPER_THOUGHT = re.compile(r"Thought:.*?(?=Answer:)", flags=re.DOTALL)
# In a thought, an answer begins with a capital letter, or in a script without any.
MARK_IN_LINE = re.compile(rf"(?:(?<=\S)[ \t]+|(?<=[。！]))(?=\W*(?![a-z])(?i:{ANSWER_WORD})\W*[:：])")


def parse_paper(text: str, count: int) -> frozenset[int] | None:
    """The format that the paper's prompt asks for (table 6) and nothing else: ids separated by commas, with or without
    `Answer:` before them, or ALL_CORRECT. An id out of range cannot be parsed."""
    body = text.strip().removeprefix("Answer:").strip().strip('"')
    if body == ALL_CORRECT:
        return NONE_FLAGGED
    if not re.fullmatch(r"[0-9]+(?:\s*,\s*[0-9]+)*", body):
        return None
    return _flagged(body, count)


def parse_repaired(text: str, count: int) -> frozenset[int] | None:
    """The paper's format with the liberties that do not change its meaning.

    Read is the one line that begins with `Answer`, in any of some languages, and the line below it where it says no
    more; or the whole text where it is a single line. In it, brackets, quotes and emphasis, `#`, `Segments` or `Claims`
    before ids, `and` between them and a full stop at the end are passed over; signs and digits may be full-width or of
    other scripts. That none is wrong may be said in words. Prose, an id out of range, ids beside ALL_CORRECT and
    several differing answers cannot be parsed.
    """
    lines = [line for raw in text.splitlines() if (line := _plain(raw))]
    answers = lines if len(lines) == 1 else list(_answer_lines(lines))
    readings = {_read_line(line, count) for line in answers}
    return readings.pop() if len(readings) == 1 else None


def parse_released_code(text: str, count: int) -> frozenset[int] | None:
    """The parser of the published `eval/eval.py`, faults included (docs/methods.md, Profiles).

    ALL_CORRECT anywhere flags nothing. Otherwise every integer up to the number of lines after the literal
    `Answer: ` is flagged, in prose too; id 0 flags the last; without that literal nothing is flagged. So no
    answer is ever unparsed.
    """
    if ALL_CORRECT in text:
        return NONE_FLAGGED
    return _flagged_as_released(text.partition(RELEASED_MARK)[2], count)


def parse_released_vicuna(text: str, count: int) -> frozenset[int] | None:
    """The same code's rule for Vicuna, which is not asked as a chat: only with a backslash does ALL\\_CORRECT flag
    nothing; otherwise every integer counts wherever it stands."""
    return NONE_FLAGGED if ESCAPED_ALL_CORRECT in text else _flagged_as_released(text, count)


def parse_paper_thought(text: str, count: int) -> frozenset[int] | None:
    """The format that the paper's chain-of-thought prompt asks for (table 7) and nothing else: `Thought:`, which may be
    empty or missing, then what `parse_paper` reads."""
    return parse_paper(PAPER_THOUGHT.sub("", text.strip(), count=1), count)


def parse_repaired_thought(text: str, count: int) -> frozenset[int] | None:
    """The answers of `parse_repaired`, with two liberties more: `Answer:` may follow the thought on the same line, and
    ALL_CORRECT may stand alone on the last line. A thought without an answer cannot be parsed."""
    marked = MARK_IN_LINE.sub("\n", text)
    flagged = parse_repaired(marked, count)
    if flagged is None and not any(ANSWER_LINE.match(_plain(line)) for line in marked.splitlines()):
        last = _plain(marked.strip().rpartition("\n")[2])
        return NONE_FLAGGED if SAYS_ALL_CORRECT.fullmatch(last) else None
    return flagged


PARSERS: dict[str, Parser] = {
    "repaired": parse_repaired,
    "released-code": parse_released_code,
    "paper": parse_paper,
}
THOUGHT_PARSERS: dict[str, Parser] = {
    "repaired": parse_repaired_thought,
    "released-code": parse_released_code,
    "paper": parse_paper_thought,
}


def read_answer(
    answer: Answer, count: int, profile: str, thought: bool = False, vicuna: bool = False
) -> frozenset[int] | None:
    """The flagged lines under the profile. An answer that was cut off may have lost ids, and one that was refused says
    nothing: neither can be parsed, except that the released code does not look. vicuna: whose rule it reads by."""
    if answer.is_missing or (answer.finish_reason in INCOMPLETE and profile != "released-code"):
        return None
    if vicuna and profile == "released-code":
        return parse_released_vicuna(answer.text, count)
    return (THOUGHT_PARSERS if thought else PARSERS)[profile](answer.text, count)


def _plain(line: str) -> str:
    """The line without decoration, full-width signs, needless spaces and final full stop."""
    narrow = unicodedata.normalize("NFKC", line).replace("、", ",").replace("。", ".")
    return " ".join(DECORATION.sub("", narrow).split()).rstrip(".!")


def _answer_lines(lines: Sequence[str]) -> Iterator[str]:
    for line, below in zip_longest(lines, lines[1:], fillvalue=""):
        if mark := ANSWER_LINE.match(line):
            yield line if line[mark.end() :] else f"{line} {below}"


def _read_line(line: str, count: int) -> frozenset[int] | None:
    body = ANSWER_LINE.sub("", line)
    if SAYS_ALL_CORRECT.fullmatch(body):
        return NONE_FLAGGED
    return _flagged(body, count) if IDS.fullmatch(body) else None


def _flagged(text: str, count: int) -> frozenset[int] | None:
    ids = _integers(text)
    return frozenset(number - 1 for number in ids) if all(1 <= number <= count for number in ids) else None


def _flagged_as_released(text: str, count: int) -> frozenset[int]:
    """Digits of any script count; 0 is the last line."""
    return frozenset((number - 1) % count for number in _integers(text) if number <= count)


def _integers(text: str) -> list[int]:
    """The integers in the text, in digits of any script; one of more digits than any count of segments has stands as a
    billion."""
    return [int(run) if len(run) <= LONGEST_ID else 10**LONGEST_ID for run in ANY_DIGITS.findall(text)]
