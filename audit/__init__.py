"""The audit log: who did what from where, append-only."""
