"""Batches of runs by the API."""
