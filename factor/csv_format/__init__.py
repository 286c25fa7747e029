"""Benchmarks in the layout in which FACTOR's authors publish theirs: CSV, in and out byte for byte."""
