"""The statistics of a dataset, as a document and as tables."""
