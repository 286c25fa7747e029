"""The tables for looking things up: sources with their documents and passages, stored pages and searches of the web."""

import hashlib
import json
from typing import Any

from django.db import models
from django.db.models import F, Q

from jobs.models import GroupedItem, JobItemQuerySet

# Before the key of a search, and the address of a page, that came with a results bundle
# (knowledge/web_search/taken_in.py): keys of queries are digits alone, and no link leads to an address that begins so.
MARK = "elsewhere:"


class KnowledgeSourceQuerySet(models.QuerySet["KnowledgeSource"]):
    def visible(self) -> "KnowledgeSourceQuerySet":
        """The sources whose first import is complete."""
        return self.filter(revision__gt=0)


class KnowledgeSource(models.Model):
    """A body of documents that statements are judged against, such as an encyclopedia (FActScore §3.1).

    `revision` counts its imports that are complete; `edition` names the files that its documents of that revision are
    searched by (knowledge/index_files.py), so that files of another state are never taken for them. While an import is
    under way `writer` is its sign and `beat_at` the last it was heard of (knowledge/writing.py). `tokenizer` names how
    all of its documents are cut into passages. `shared`: every dataset may read it, and no page adds to it; others
    belong to a dataset (annotate/models/grants.py).
    """

    name = models.CharField(max_length=100, unique=True)
    description = models.TextField(blank=True)
    tokenizer = models.CharField(max_length=20, default="sentences")
    shared = models.BooleanField(default=False, db_default=False)
    revision = models.PositiveIntegerField(default=0)
    edition = models.CharField(max_length=32, blank=True)
    writer = models.CharField(max_length=32, blank=True)
    beat_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = KnowledgeSourceQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="source_named")]

    def __str__(self) -> str:
        return self.name


class DocumentQuerySet(models.QuerySet["Document"]):
    def visible(self) -> "DocumentQuerySet":
        """The documents whose import is complete."""
        return self.filter(revision__lte=F("source__revision"))


class Document(models.Model):
    """One page of a source. `key` is its key in the file that brought it: its `id`, else its title.

    `title_key` is the title as it is looked up, `plain_title` as it is where that finds nothing (knowledge/titles.py);
    `content_hash` is over title, address and text; `revision` is the revision of the source that it came with.
    `published`: the date of the text, None where nothing says it.
    """

    source = models.ForeignKey(KnowledgeSource, on_delete=models.CASCADE, related_name="documents")
    key = models.CharField(max_length=500)
    title = models.CharField(max_length=500)
    title_key = models.CharField(max_length=500)
    plain_title = models.CharField(max_length=500, blank=True)
    url = models.TextField(blank=True)
    text = models.TextField()
    published = models.DateField(null=True, blank=True)
    content_hash = models.CharField(max_length=64)
    revision = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        ordering = ["source", "title"]
        constraints = [models.UniqueConstraint(fields=["source", "key"], name="document_key_once")]
        indexes = [
            models.Index(fields=["source", "title_key"], name="document_title"),
            models.Index(fields=["source", "plain_title"], name="document_plain_title"),
        ]

    def __str__(self) -> str:
        return self.title


class Redirect(models.Model):
    """Another name of a document, from the corpus or from a person (`by_hand`).

    `name_key` is the name as it is looked up (knowledge/titles.py). One name has one document by hand, which counts
    before all other rules. A corpus may give one name to several documents: the name is ambiguous then.
    """

    source = models.ForeignKey(KnowledgeSource, on_delete=models.CASCADE, related_name="redirects")
    name = models.CharField(max_length=500)
    name_key = models.CharField(max_length=500)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="redirects")
    by_hand = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["source", "name_key"]
        constraints = [
            models.UniqueConstraint(fields=["source", "name_key", "document", "by_hand"], name="redirect_once"),
            models.UniqueConstraint(
                fields=["source", "name_key"], condition=Q(by_hand=True), name="redirect_by_hand_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} → {self.document}"


class Passage(models.Model):
    """The characters [start, end) of a document's text, one piece of those it is searched by."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="passages")
    position = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        ordering = ["document", "position"]
        constraints = [
            models.UniqueConstraint(fields=["document", "position"], name="passage_position_once"),
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="passage_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.document} {self.position + 1}"


class Snapshot(GroupedItem):
    """A page of the web as it was when it was fetched: its text, never its scripts or markup.

    A snapshot that is done is frozen; one that failed is dead, for the reason in `error`. `url` is in the form of
    knowledge/fetching/addresses.py; that of a page from a results bundle has MARK before it. Frozen ones are never
    changed: the same address fetched again is another row, and one row at a time is under way for an address.
    `text_hash` is the SHA-256 of the text in UTF-8.
    """

    url = models.TextField()
    final_url = models.TextField(blank=True)
    media_type = models.CharField(max_length=100, blank=True)
    title = models.TextField(blank=True)
    published = models.CharField(max_length=40, blank=True, help_text="The date that the page itself names.")
    text = models.TextField(blank=True)
    text_hash = models.CharField(max_length=64, blank=True)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            *GroupedItem.Meta.constraints,
            models.UniqueConstraint(
                fields=["url"], condition=Q(state__in=["waiting", "leased"]), name="snapshot_one_under_way"
            ),
            models.CheckConstraint(
                condition=~Q(state="done") | Q(settled_at__isnull=False) & ~Q(text_hash=""),
                name="snapshot_frozen_has_text_and_time",
            ),
            models.CheckConstraint(condition=~Q(state="failed") | ~Q(error=""), name="snapshot_dead_says_why"),
        ]
        indexes = [
            models.Index(fields=["state", "enqueued_at"], name="snapshot_waiting"),
            models.Index(fields=["url"], name="snapshot_of_url"),
        ]

    def __str__(self) -> str:
        return self.title or self.url

    @property
    def address(self) -> str:
        """`url` without the mark."""
        return self.url.removeprefix(MARK)


class WebSearch(models.Model):
    """A result list of a search engine as it was when it was fetched: the same query is answered from here.

    `engine` is the name of its protocol (knowledge/engines), "corpus" for a knowledge source; `address` is that of the
    engine, for a source its name and edition. `request_hash` covers engine, address, query and count. `results`: a list
    of objects with title, url and text, best first; `results_hash` is the SHA-256 of that list as canonical JSON.
    `pages`: those of its pages that were read, dead ones among them. `cost_usd`: None where the price was not known.
    """

    request_hash = models.CharField(max_length=64, unique=True)
    engine = models.CharField(max_length=50)
    address = models.CharField(max_length=500)
    query = models.TextField()
    count = models.PositiveSmallIntegerField()
    results = models.JSONField()
    results_hash = models.CharField(max_length=64)
    fetched_at = models.DateTimeField()
    cost_usd = models.DecimalField(max_digits=10, decimal_places=6, null=True, blank=True)
    pages = models.ManyToManyField(Snapshot, related_name="searches", blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.engine}: {self.query}"

    @property
    def is_intact(self) -> bool:
        """Whether the results are those that were fetched."""
        return hash_json(self.results) == self.results_hash


def hash_json(content: Any) -> str:
    """The SHA-256 of the content as canonical JSON, as hexadecimal digits."""
    canonical = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
