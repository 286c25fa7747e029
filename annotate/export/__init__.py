"""A dataset with its gold as a file: in its own format, as a table of judged units, or as labels."""
