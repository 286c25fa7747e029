"""FActScore without a server (evaluators/factscore.py): results, settings, pages, answers and the score."""
