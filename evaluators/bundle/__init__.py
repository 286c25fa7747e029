"""Results bundles: runs with predictions and figures as one zip file, exported and imported."""
