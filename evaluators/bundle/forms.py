"""What is exported, and what is taken in."""

from django import forms

from core.form_fields import UploadField

LONGEST_SUFFIX = 50


class BundleForm(forms.Form):
    """A results bundle from elsewhere."""

    file = UploadField(help_text="A zip file that was exported by Touchstone.", command="import_results")
    suffix = forms.CharField(
        max_length=LONGEST_SUFFIX,
        required=False,
        strip=False,
        label="Add to the evaluators' names",
        help_text="Such as “ (lab B)”, where evaluators of the same name have runs of their own here.",
    )
    other_gold = forms.BooleanField(required=False, label="Take the runs although gold differs here")
