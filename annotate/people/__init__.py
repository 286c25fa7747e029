"""Who works on a dataset, and the guidelines they work by."""
