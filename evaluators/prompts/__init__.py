"""Prompt sets: the project's own, those of a folder, and uploaded ones."""
