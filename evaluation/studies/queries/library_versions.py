"""Which versions compute: numbers of a study are the same bytes where these are the same."""

import importlib.metadata
import platform

from django.conf import settings

LIBRARIES = ("numpy", "scipy", "scikit-learn", "altair", "vl-convert-python")


def present() -> dict[str, str]:
    """Of Lacuna, of Python and of the libraries that compute and draw."""
    libraries = {name: importlib.metadata.version(name) for name in LIBRARIES}
    return {"Lacuna": settings.VERSION, "Python": platform.python_version(), **libraries}
