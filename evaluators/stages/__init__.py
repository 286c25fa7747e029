"""Stages of an evaluator: runs that differ in one stage, and the loss of quality at each stage."""
