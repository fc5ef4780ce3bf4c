"""The addresses of every room. Ids of topics and passages are opaque text: in bodies, never in an address."""

from django.urls import include, path

ROOMS = (
    "home",
    "collections",
    "imports",
    "pool",
    "draws",
    "suggestions",
    "texts",
    "judging",
    "adjudication",
    "exports",
    "web",
)

urlpatterns = [path("", include(f"annotate.{room}.urls")) for room in ROOMS]
