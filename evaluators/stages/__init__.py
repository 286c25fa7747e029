"""Stages of an evaluator: runs that differ in one stage, and what each stage costs in quality."""
