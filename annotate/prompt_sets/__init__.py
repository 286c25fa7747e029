"""Prompt sets: the wording of everything that is sent to a model; the project's own, those of packages, of a folder,
and uploaded ones."""
