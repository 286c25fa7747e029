"""Datasets by the API."""
