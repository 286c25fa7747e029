"""Segments: the division of responses by rules or by a model, and its correction by people."""
