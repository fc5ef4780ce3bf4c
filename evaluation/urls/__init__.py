"""The addresses of findings. One file a part."""

from django.urls import include, path

urlpatterns = [path("", include("evaluation.urls.pages")), path("", include("evaluation.urls.api"))]
