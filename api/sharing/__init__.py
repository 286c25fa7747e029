"""Public links of frozen comparisons by the API."""
