"""The libraries of a worker, a command, the web server and a request; importing this module imports them, and nothing
that reads Django's settings."""

import gc

import aiohttp
import celery.apps.worker
import celery.bin.celery
import celery.concurrency.prefork
import celery.worker.consumer
import cryptography.x509
import django.core.management
import django.db.backends.postgresql.base
import django.db.backends.sqlite3.base
import django.test
import fido2.server
import gunicorn.app.wsgiapp
import gunicorn.workers.gthread
import httpx2
import jinja2
import kombu.transport.filesystem
import kombu.transport.redis
import markdown_it
import nltk
import numpy
import openai
import prompt_toolkit
import psycopg
import rank_bm25
import requests
import scipy.special
import yaml

LIBRARIES = (
    *(aiohttp, celery, cryptography, django, fido2, gunicorn, httpx2, jinja2, kombu, markdown_it, nltk, numpy),
    *(openai, prompt_toolkit, psycopg, rank_bm25, requests, scipy, yaml),
)

# What is here stays in each process that is forked: its collector need not look through it.
gc.freeze()
