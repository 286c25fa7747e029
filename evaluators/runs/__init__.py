"""Runs: creation, work on their items, progress, results, resumption, and readings under other profiles."""
