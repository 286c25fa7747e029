"""The choices of the agreement pages, kept in their addresses."""

from collections.abc import Mapping
from dataclasses import dataclass

from stats.agreement import ALL, BINARY, COEFFICIENTS, coefficients_of

VALUES = {BINARY: "Error or not", ALL: "All values"}
OVER = {"tasks": "Equal batches of tasks", "week": "Weeks"}


@dataclass(frozen=True)
class AgreementChoice:
    """The figure of the heat map and of the line over time, the values it is of, and how time is cut."""

    figure: str
    values: str
    over: str

    @classmethod
    def read(cls, query: Mapping[str, str]) -> "AgreementChoice":
        """Whatever is unknown, or has no meaning for these values, is the default."""
        values = query.get("values", "") if query.get("values", "") in VALUES else BINARY
        figure = query.get("figure", "") if query.get("figure", "") in coefficients_of(values) else "alpha"
        return cls(figure, values, query.get("over", "") if query.get("over", "") in OVER else "tasks")

    @property
    def title(self) -> str:
        return COEFFICIENTS[self.figure].title
