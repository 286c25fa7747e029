"""Comparison of evaluators with gold and with each other: report, slices, pairs, units."""
