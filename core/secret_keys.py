"""Keys of links, browsers and tokens, of which only the hash is stored."""

from hashlib import sha256


def hash_of_key(key: str) -> str:
    """SHA-256 is enough for 256 random bits: nobody can try them out."""
    return sha256(key.encode("utf-8", "surrogateescape")).hexdigest()
