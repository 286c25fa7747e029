"""A language model that looks up while it is scored (FACTOR §4.3): in-context retrieval after Ram et al. (2023)."""
