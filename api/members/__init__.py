"""Members of a dataset and invitations to it by the API."""
