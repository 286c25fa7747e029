"""Open-ended generation: texts that models write from the prefixes of a benchmark, labelled by people (FACTOR §6)."""
