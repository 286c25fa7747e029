"""The benchmarks of a dataset: the list, their examples, renaming and deletion."""
