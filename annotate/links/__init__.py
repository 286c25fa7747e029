"""The links that labels and gold cite: their frozen pages, and whether these contain the quotes."""
