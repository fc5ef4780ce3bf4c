"""The addresses of findings in the API."""

from django.urls import path

from evaluation.pages.agreement.api import agreement, groups, several
from evaluation.pages.assessors import api as assessors_api
from evaluation.pages.influence import api as influence_api
from evaluation.pages.leaderboard.api import comparison, scores
from evaluation.studies.api import studies

COLLECTION = "api/v1/collections/<slug:slug>/"

urlpatterns = [
    path(COLLECTION + "agreement/", agreement.show, name="api_agreement"),
    path(COLLECTION + "agreement/details/", groups.details, name="api_agreement_details"),
    path(COLLECTION + "agreement/groups/", groups.groups, name="api_agreement_groups"),
    path(COLLECTION + "agreement/several/", several.show, name="api_agreement_several"),
    path(COLLECTION + "assessors/", assessors_api.show, name="api_assessors"),
    path(COLLECTION + "comparison/", comparison.show, name="api_comparison"),
    path(COLLECTION + "influence/", influence_api.show, name="api_influence"),
    path(COLLECTION + "influence/compute/", influence_api.compute, name="api_compute_influence"),
    path(COLLECTION + "scores/", scores.show, name="api_scores"),
    path(COLLECTION + "studies/", studies.index, name="api_studies"),
    path(COLLECTION + "studies/start/", studies.start, name="api_start_study"),
    path(COLLECTION + "studies/<int:number>/", studies.detail, name="api_study"),
    path(COLLECTION + "studies/<int:number>/again/", studies.again, name="api_run_study_again"),
    path(COLLECTION + "studies/<int:number>/stop/", studies.stop, name="api_stop_study"),
    path(COLLECTION + "studies/<int:number>/go-on/", studies.go_on, name="api_go_on_with_study"),
    path(COLLECTION + "studies/<int:number>/delete/", studies.delete, name="api_delete_study"),
    path(COLLECTION + "studies/<int:number>/study.zip", studies.archive, name="api_study_archive"),
]
