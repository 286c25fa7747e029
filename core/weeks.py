"""Weeks of the calendar."""

from datetime import UTC, datetime


def iso_week(at: datetime) -> str:
    """By ISO 8601, in which a week begins on Monday and belongs to the year of its Thursday: 2026-W53.

    In UTC whoever reads it, so that a figure of a week is the same for everybody.
    """
    year, week, _ = at.astimezone(UTC).isocalendar()
    return f"{year}-W{week:02}"
