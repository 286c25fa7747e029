"""Subject models: their FActScore by gold and as estimated, and facts that runs generate."""
