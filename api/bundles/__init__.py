"""Results bundles in by the API."""
