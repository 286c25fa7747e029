"""Subject models: their FActScore by gold and as estimated."""
