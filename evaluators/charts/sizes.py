"""Sizes of charts, wide and narrow, and the lines of the words in them: long names are broken, not cut.

Pixels of words are estimated: no page waits for the engine to know a chart's height.
"""

from textwrap import wrap

from evaluators.charts.chart import Spec

WIDE, NARROW = 720, 340
TEXT_SIZE = 13
# The mean width of a letter of font.py.
LETTER_WIDTH = 0.48 * TEXT_SIZE
# Entries in a row of a legend, the height of one, and the width of its mark with the edges of the drawing.
WIDE_ENTRIES, NARROW_ENTRIES = 2, 1
ENTRY_HEIGHT = 18
MARK_WIDTH = 44
# Letters in a line of a name beside an axis: about a third of the drawing.
NAME_LETTERS = {"wide": 38, "narrow": 20}
# Pixels after which such a line, of wide letters, and the label of a point, is cut.
NAME_WIDTHS = {"wide": 250, "narrow": 135}
LABEL_WIDTHS = {"wide": 220, "narrow": 150}
# What stands beside the axis of a chart without names: numbers and a title.
NUMBERS_WIDTH = 60
# Lines of a name, at most, and their height.
MOST_LINES, LINE_HEIGHT = 4, TEXT_SIZE + 2

Lines = dict[str, list[str]]


def size_of(*, narrow: bool) -> str:
    return "narrow" if narrow else "wide"


def lines_of_names(spec: Spec, *, narrow: bool) -> Lines:
    """The names beside the axis, in lines; without any where the axis is one of numbers."""
    return _broken(spec["usermeta"]["names"], NAME_LETTERS[size_of(narrow=narrow)])


def lines_of_entries(spec: Spec, *, narrow: bool) -> list[Lines]:
    """The entries of each legend, in lines."""
    letters = int(entry_width(spec, narrow=narrow) / LETTER_WIDTH)
    return [_broken(names, letters) for names in spec["usermeta"]["legends"]]


def entry_width(spec: Spec, *, narrow: bool) -> float:
    """Pixels for the words of an entry: a legend begins where the plane does, beside the names."""
    longest = max((len(line) for lines in lines_of_names(spec, narrow=narrow).values() for line in lines), default=0)
    beside = longest * LETTER_WIDTH or NUMBERS_WIDTH
    return (NARROW - beside) / NARROW_ENTRIES - MARK_WIDTH if narrow else (WIDE - beside) / WIDE_ENTRIES - MARK_WIDTH


def height_of(spec: Spec, *, narrow: bool) -> int:
    """The height of the drawing in pixels: that of the specification, its rows of names, and those of its legends."""
    names = lines_of_names(spec, narrow=narrow)
    row: int = max(spec["usermeta"]["row_height"], LINE_HEIGHT * most_lines(names) + 8)
    legends = sum(_legend_height(entries, narrow=narrow) for entries in lines_of_entries(spec, narrow=narrow))
    height: int = spec["height"]
    return height + row * len(names) + legends


def most_lines(lines: Lines) -> int:
    return max(map(len, lines.values()), default=1)


def _legend_height(entries: Lines, *, narrow: bool) -> int:
    """A row is as high as its longest entry."""
    in_a_row = NARROW_ENTRIES if narrow else WIDE_ENTRIES
    counts = [len(lines) for lines in entries.values()]
    rows = [max(counts[first : first + in_a_row]) for first in range(0, len(counts), in_a_row)]
    return sum(ENTRY_HEIGHT + LINE_HEIGHT * (lines - 1) for lines in rows)


def _broken(names: list[str], letters: int) -> Lines:
    """Each name in lines of at most so many letters, broken between words; after MOST_LINES it is cut."""
    return {name: _cut(wrap(name, letters), letters) or [name] for name in names}


def _cut(lines: list[str], letters: int) -> list[str]:
    if len(lines) <= MOST_LINES:
        return lines
    return [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1][: letters - 1]}…"]
