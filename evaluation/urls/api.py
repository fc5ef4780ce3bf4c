"""The addresses of findings in the API."""

from django.urls import path

from evaluation.api import agreement, agreement_groups, assessors, comparison, influence, scores, several

COLLECTION = "api/v1/collections/<slug:slug>/"

urlpatterns = [
    path(COLLECTION + "agreement/", agreement.show, name="api_agreement"),
    path(COLLECTION + "agreement/details/", agreement_groups.details, name="api_agreement_details"),
    path(COLLECTION + "agreement/groups/", agreement_groups.groups, name="api_agreement_groups"),
    path(COLLECTION + "agreement/several/", several.show, name="api_agreement_several"),
    path(COLLECTION + "assessors/", assessors.show, name="api_assessors"),
    path(COLLECTION + "comparison/", comparison.show, name="api_comparison"),
    path(COLLECTION + "influence/", influence.show, name="api_influence"),
    path(COLLECTION + "influence/compute/", influence.compute, name="api_compute_influence"),
    path(COLLECTION + "scores/", scores.show, name="api_scores"),
]
