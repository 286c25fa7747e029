"""Conversations at a task: one between each of its annotators and the adjudicators, and one of them all."""
