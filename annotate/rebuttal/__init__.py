"""Rebuttal: annotators who differ see each other's evidence and may revise once."""
