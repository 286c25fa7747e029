"""The web application, for gunicorn."""

import gc
import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application
from django.template.loader import get_template
from django.urls import reverse

from config.error_reports import start_reports

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
start_reports()

# What every page needs, and annotators wait for: loaded before workers are forked it is in memory once, and no first
# request waits for it.
reverse("home")  # the addresses with their views
import_module("jobs.tasks")  # what enqueues work
for template in ("account/login.html", "labels/tools.html", "labels/work.html", "labels/workbench.html"):
    get_template(template)

# Objects of the start stay: the collector need not look through them again, nor the workers copy them for that.
gc.collect()
gc.freeze()
