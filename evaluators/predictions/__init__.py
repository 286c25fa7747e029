"""Predictions: read into columns, counted and priced, and files of evaluators that ran elsewhere."""
