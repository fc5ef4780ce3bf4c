from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person who signs in. What the person may do in a collection is said by the memberships."""

    class Theme(models.TextChoices):
        SYSTEM = "SYSTEM", "as the system"
        LIGHT = "LIGHT", "light"
        DARK = "DARK", "dark"

    may_create_collections = models.BooleanField(default=False)
    must_change_password = models.BooleanField(default=False)
    theme = models.CharField(max_length=6, choices=Theme, default=Theme.SYSTEM)
    has_single_key_shortcuts = models.BooleanField(default=True)
    confirms_with_enter = models.BooleanField(default=False)
