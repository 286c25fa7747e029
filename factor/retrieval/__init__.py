"""Retrieval while a language model is scored (FACTOR §4.3)."""
