"""Weeks of the calendar."""

from datetime import date


def iso_week(day: date) -> str:
    """By ISO 8601, in which a week begins on Monday and belongs to the year of its Thursday: 2026-W53."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"
