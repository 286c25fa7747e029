"""The database backend for PostgreSQL with prepared statements."""
