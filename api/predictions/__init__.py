"""Predictions by the API, in and out."""
