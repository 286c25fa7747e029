"""Methods, endpoints and evaluators by the API."""
