"""The addresses of judging and of all that leads to it. One file a part."""

from django.urls import include, path

urlpatterns = [
    path("", include("annotate.urls.account")),
    path("", include("annotate.urls.researching")),
    path("", include("annotate.urls.pairs")),
    path("", include("annotate.urls.writing")),
    path("", include("annotate.urls.judging")),
    path("", include("annotate.urls.adjudicating")),
    path("", include("annotate.urls.api")),
]
