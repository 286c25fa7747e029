"""Knowledge sources of a dataset, their documents and passages, and the links of its labels and gold, by the API."""
