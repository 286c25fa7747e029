"""Paths of the pages that annotators wait for, in templates (core/page_paths.py)."""

from django import template

from core import page_paths

register = template.Library()

register.simple_tag(page_paths.page_path)
register.simple_tag(page_paths.static_path)
register.simple_tag(page_paths.keyed_path)
