"""The leaderboard's table, to take away."""

from collections.abc import Sequence

from core.tables import Cell, Table
from evaluators.comparison.leaderboard import LEVELS, Choice, Row


def board_table(rows: Sequence[Row], choice: Choice) -> Table:
    """What the page shows, with the ends of the intervals in columns of their own."""
    columns = [column for column in choice.columns if column.key not in INTERVALS]
    with_interval = [column for column in choice.columns if column.key in INTERVALS]
    heads = ["Evaluator", "Method", "Model", *(["Subject"] if choice.estimates else [])]
    for column in with_interval:
        heads += [column.title, f"{column.title} low", f"{column.title} high"]
    lines: list[list[Cell]] = []
    for row in rows:
        line: list[Cell] = [row.entry["evaluator"], row.entry["method"], row.entry["model"]]
        line += [row.figures["subject"]] if choice.estimates else []
        for column in with_interval:
            line += [row.figures[column.key], *(row.figures[f"{column.key}_interval"] or (None, None))]
        lines.append(line + [row.figures[column.key] for column in columns])
    title = f"the leaderboard of {LEVELS[choice.level].lower()}"
    return Table("leaderboard", title, [*heads, *(column.title for column in columns)], lines)


INTERVALS = ("f1", "balanced_accuracy", "bias")
