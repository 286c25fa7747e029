"""Gold put to the test: where several good evaluators contradict it, somebody looks again without knowing why."""
