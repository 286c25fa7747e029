"""Tasks of a dataset by the API: listed, assigned, moved, sent back."""
