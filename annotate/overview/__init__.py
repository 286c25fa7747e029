"""Pages that read several stages: one's datasets, how far a dataset is, a response with its gold."""
