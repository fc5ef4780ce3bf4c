"""The addresses of findings in the API."""

from django.urls import path

from evaluation.api import agreement, scores

COLLECTION = "api/v1/collections/<slug:slug>/"

urlpatterns = [
    path(COLLECTION + "agreement/", agreement.show, name="api_agreement"),
    path(COLLECTION + "scores/", scores.show, name="api_scores"),
]
