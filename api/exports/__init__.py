"""Datasets and results as files, by the API."""
