"""The language of a page, for its root element."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, get_language_bidi, to_locale

register = template.Library()


@register.simple_tag
def language_attributes() -> SafeString:
    """lang, and dir where the language is written from right to left."""
    code = to_locale(get_language() or "en").replace("_", "-")
    return format_html('lang="{}" dir="rtl"' if get_language_bidi() else 'lang="{}"', code)
