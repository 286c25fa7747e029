"""Feedback to annotators: the outcome of their labels, and challenges to decisions."""
