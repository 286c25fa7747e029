"""Submitted labels by the API, and how far annotators agree."""
