"""Scoring of language models on benchmarks (FACTOR §3.1, §4.2)."""
