"""The user of a request, log-in and account, and receipts of the pages viewed."""
