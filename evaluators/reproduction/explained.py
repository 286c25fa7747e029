"""Why a figure from the published files is not the printed one: a sentence for each.

See docs/statistics.md, Recovered conventions.
"""

from evaluators.reproduction.measure import MeasuredDataset
from evaluators.reproduction.rounded import read

LATER_LABELS = "The file is later than the table: at most three segments differ in a domain."
COUNTED_OTHERWISE = "The table's own numbers give at most {follows}."
FEWER_FACTS = "The table has at least {more} facts more than the file; irrelevant ones would explain it."
DRAWN = "The paper drew once; such draws scatter by half a point to a point."
FROM_HIGHER_SCORE = "The score by people is 42.58 in the file."

_REASONS: dict[tuple[str, str], str] = {
    ("FELM 2", "segments"): LATER_LABELS,
    ("FELM 2", "positive"): LATER_LABELS,
    ("FELM 2", "negative"): LATER_LABELS,
    ("FActScore 4", "Random"): DRAWN,
    ("FActScore 12", "Random"): DRAWN,
    ("FActScore 6", "Always Supported"): FROM_HIGHER_SCORE,
    ("FActScore 6", "Always Not-supported"): FROM_HIGHER_SCORE,
    ("FActScore 6", "Always Random"): FROM_HIGHER_SCORE,
}
# Facts that the printed facts a response need, at the least, beyond those of the file.
_FACTS_MORE = {"InstructGPT": 14, "ChatGPT": 13}
_REASONS_OF_CELLS: dict[tuple[str, str, str], str] = {
    ("FELM 2", "segment length", "math"): COUNTED_OTHERWISE.format(follows="14.56"),
    ("FELM 2", "segment length", "writing_rec"): COUNTED_OTHERWISE.format(follows="18.1"),
    **{
        ("FActScore 2", row, subject): FEWER_FACTS.format(more=more)
        for row in ("facts per response", "irrelevant", "factscore")
        for subject, more in _FACTS_MORE.items()
    },
}


def reason(table: str, row: str, column: str) -> str | None:
    """The sentence for a figure that differs; None where there is none."""
    return _REASONS_OF_CELLS.get((table, row, column)) or _REASONS.get((table, row))


def rebuilt_as_one_word(felm: MeasuredDataset, domain: str, key: str, text: str) -> str | None:
    """The sentence for a mean length with responses in it that the file lacks; None where there are none, or where it
    comes no nearer to the printed one when each of them counts as one word."""
    words = [count for name, counts in felm.rebuilt.items() for count in counts if domain in ("all", name)]
    units = {"avg_response_words": "responses", "avg_segment_words": "segments"}.get(key)
    if not words or units is None:
        return None
    sizes = felm.domain(domain)
    as_one = sizes[key] - sum(count - 1 for count in words) / sizes[units]
    if abs(as_one - float(text)) >= abs(sizes[key] - float(text)):
        return None
    missing = "The missing response" if len(words) == 1 else f"Each of the {len(words)} missing responses"
    stands_for = read(text)
    if stands_for.low <= as_one <= stands_for.high:
        return f"{missing}, counted as one word, gives the printed figure."
    apart = abs(as_one - float(stands_for.low))
    return f"{missing}, counted as one word, gives {as_one:.2f}; {apart:.2f} stays open."
