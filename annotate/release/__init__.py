"""Releases: a gold version as tables with a data card and Croissant metadata."""
