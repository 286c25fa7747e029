"""Benchmarks of speed, run by hand."""
