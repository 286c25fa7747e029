"""Editors, their runs, edits, and samples of edits by the API."""
