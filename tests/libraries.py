"""The libraries of a worker, a command and a request; importing this module imports them, and nothing that reads
Django's settings."""

import aiohttp
import celery.apps.worker
import celery.bin.celery
import celery.concurrency.prefork
import celery.worker.consumer
import django.core.management
import django.db.backends.postgresql.base
import django.db.backends.sqlite3.base
import django.test
import kombu.transport.filesystem
import kombu.transport.redis
import nltk
import numpy
import openai
import prompt_toolkit
import psycopg
import rank_bm25

LIBRARIES = (aiohttp, celery, django, kombu, nltk, numpy, openai, prompt_toolkit, psycopg, rank_bm25)
