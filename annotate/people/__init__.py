"""The user of a request, and receipts of the pages viewed."""
