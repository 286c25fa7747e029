"""Responses with their segments and facts, and collected prompts, by the API."""
