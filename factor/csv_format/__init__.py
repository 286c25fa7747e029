"""Benchmarks as CSV in the layout of FACTOR's authors, in and out byte for byte."""
