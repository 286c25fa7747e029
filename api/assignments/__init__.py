"""Labelling by the API: one's own assignments."""
