"""The report in the order of a leaderboard."""

from typing import Any

# A result with the evaluator it belongs to.
Ranked = tuple[dict[str, Any], dict[str, Any]]


def order_by_f1(report: dict[str, Any], level: str, name: str = "all") -> list[Ranked]:
    """(evaluator, result) at one level and slice, the highest F1 first, undefined ones last."""
    found = [
        (evaluator, result)
        for evaluator in report["evaluators"]
        for result in evaluator["results"]
        if result["level"] == level and name in result["slice"].values()
    ]
    return sorted(found, key=lambda ranked: -1.0 if ranked[1]["f1"] is None else ranked[1]["f1"], reverse=True)
