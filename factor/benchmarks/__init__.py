"""The benchmarks of a dataset, and what is in each: list, examples, name, end."""
