"""Tests of editors, their figures and pages."""
