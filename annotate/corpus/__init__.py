"""Prompts and responses as they come in files: read, checked, cut into sentences and stored."""
