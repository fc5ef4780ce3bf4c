"""The addresses of findings in the API."""

from django.urls import path

from evaluation.pages.agreement import api as agreement_api
from evaluation.pages.assessors import api as assessors_api
from evaluation.pages.influence import api as influence_api
from evaluation.pages.leaderboard import api as leaderboard_api
from evaluation.studies import api as studies_api

COLLECTION = "api/v1/collections/<slug:slug>/"

urlpatterns = [
    path(COLLECTION + "agreement/", agreement_api.show_agreement, name="api_agreement"),
    path(COLLECTION + "agreement/details/", agreement_api.show_details, name="api_agreement_details"),
    path(COLLECTION + "agreement/groups/", agreement_api.show_groups, name="api_agreement_groups"),
    path(COLLECTION + "agreement/several/", agreement_api.show_several, name="api_agreement_several"),
    path(COLLECTION + "assessors/", assessors_api.show_assessors, name="api_assessors"),
    path(COLLECTION + "comparison/", leaderboard_api.show_comparison, name="api_comparison"),
    path(COLLECTION + "influence/", influence_api.show_influence, name="api_influence"),
    path(COLLECTION + "influence/compute/", influence_api.compute_influence, name="api_compute_influence"),
    path(COLLECTION + "scores/", leaderboard_api.show_scores, name="api_scores"),
    path(COLLECTION + "studies/", studies_api.index, name="api_studies"),
    path(COLLECTION + "studies/start/", studies_api.start, name="api_start_study"),
    path(COLLECTION + "studies/<int:number>/", studies_api.detail, name="api_study"),
    path(COLLECTION + "studies/<int:number>/again/", studies_api.again, name="api_run_study_again"),
    path(COLLECTION + "studies/<int:number>/stop/", studies_api.stop, name="api_stop_study"),
    path(COLLECTION + "studies/<int:number>/go-on/", studies_api.go_on, name="api_go_on_with_study"),
    path(COLLECTION + "studies/<int:number>/delete/", studies_api.delete, name="api_delete_study"),
    path(COLLECTION + "studies/<int:number>/study.zip", studies_api.archive, name="api_study_archive"),
]
