"""What of the agreement pages is looked at: kept in their addresses."""

from collections.abc import Mapping
from dataclasses import dataclass

from stats.agreement_rows import COEFFICIENTS
from stats.ratings import ALL, BINARY

FIGURES = {
    "percent": "Percent",
    "positive": "On errors",
    "negative": "On correct",
    "kappa": "Cohen's κ",
    "alpha": "Krippendorff's α",
    "ac1": "Gwet's AC1",
}
VALUES = {BINARY: "Error or not", ALL: "All values"}
OVER = {"tasks": "Equal batches of tasks", "week": "Weeks"}


@dataclass(frozen=True)
class Choice:
    """The figure of the heat map and of the line over time, the values it is of, and how time is cut."""

    figure: str
    values: str
    over: str

    @classmethod
    def read(cls, query: Mapping[str, str]) -> "Choice":
        """Whatever is unknown, or has no meaning for these values, is the default."""
        values = query.get("values", "") if query.get("values", "") in VALUES else BINARY
        figure = query.get("figure", "") if query.get("figure", "") in COEFFICIENTS[values] else "alpha"
        return cls(figure, values, query.get("over", "") if query.get("over", "") in OVER else "tasks")

    @property
    def words(self) -> str:
        return FIGURES[self.figure]

    @property
    def figures(self) -> dict[str, str]:
        """Those that these values have."""
        return {name: words for name, words in FIGURES.items() if name in COEFFICIENTS[self.values]}
