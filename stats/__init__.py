"""Figures as plain functions over NumPy arrays, without Django: usable from a notebook (docs/statistics.md)."""
