"""Work in rows that workers lease (annotate/models/leased.py): what all kinds of it share."""
