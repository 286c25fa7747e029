"""Imports of files by the API."""
