"""Methods, endpoints, search engines and evaluators by the API."""
