"""Predictions of evaluators that ran elsewhere: files and the upload page."""
