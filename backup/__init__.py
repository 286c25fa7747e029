"""Backups: all rows and uploaded files in one archive, and back into SQLite or PostgreSQL."""
