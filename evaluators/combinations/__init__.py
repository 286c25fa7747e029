"""Combinations of evaluators: ensembles and cascades by quality and price."""
