"""Comparison of evaluators with gold and with each other: report, leaderboard, slices, pairs, units."""
