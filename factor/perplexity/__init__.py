"""How well language models predict a corpus, to be held against how factual they are (FACTOR §4.1, §5.3)."""
