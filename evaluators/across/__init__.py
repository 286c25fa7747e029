"""Evaluators over several datasets."""
