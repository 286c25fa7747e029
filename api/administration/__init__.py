"""Guidelines, settings, archive, deletion and statistics of a dataset by the API."""
