"""The links that labels and gold cite: their frozen pages, and whether these say what is quoted."""
