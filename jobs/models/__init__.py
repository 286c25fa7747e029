"""The tables of the room, and the abstract models of which every kind of work makes its own."""

from jobs.models.budgeted import Budgeted
from jobs.models.item import GroupedItem, Item, JobItem, JobItemQuerySet
from jobs.models.job import Job, JobQuerySet
from jobs.models.worker import Worker

__all__ = ["Budgeted", "GroupedItem", "Item", "Job", "JobItem", "JobItemQuerySet", "JobQuerySet", "Worker"]
