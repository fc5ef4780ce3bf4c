from django.db import models


class Worker(models.Model):
    """A sign of life of a background worker, so that pages can say when none answers."""

    name = models.CharField(max_length=200, unique=True)
    beat_at = models.DateTimeField()
