"""Benchmarks, and scorings of language models on them, by the API."""
