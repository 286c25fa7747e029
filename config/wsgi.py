"""The web application, for gunicorn."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

# What is there by now stays: the collector need not look through it again and again, nor the workers copy it for that.
gc.collect()
gc.freeze()
