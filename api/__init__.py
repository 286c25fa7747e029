"""The REST API: routes and serializers over the functions that pages and commands call."""
