"""Runs by the API."""
