"""Who asks, and the receipts of what they saw."""
