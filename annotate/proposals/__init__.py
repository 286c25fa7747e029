"""What a model prepares for people: atomic facts and segments, asked for in rows that workers lease."""
