"""The corpus: import and export of files, sizes and statistics of a dataset."""
