"""Who asks, what they may fetch, and the receipts of what they saw."""
