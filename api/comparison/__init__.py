"""Figures of evaluators and subject models by the API."""
