"""The addresses of findings, as pages and in the API."""

from django.urls import path

from evaluation.pages import calibration, influence, ranking_stability, seed_bias, variant_agreement
from evaluation.pages.agreement import api as agreement_api
from evaluation.pages.agreement import views as agreement_views
from evaluation.pages.assessors import views as assessors_views
from evaluation.pages.leaderboard import api as leaderboard_api
from evaluation.pages.leaderboard import views as leaderboard_views
from evaluation.studies import api as studies_api
from evaluation.studies import views as studies_views

AGREEMENT = "c/<slug:slug>/agreement/"
ASSESSORS = "c/<slug:slug>/assessors/"
CALIBRATION = "c/<slug:slug>/suggestions/calibration/"
INFLUENCE = "c/<slug:slug>/pairs/influence"
LEADERBOARD = "c/<slug:slug>/leaderboard/"
STABILITY = "c/<slug:slug>/judging/stability/"
STUDIES = "c/<slug:slug>/studies/"
STUDY = STUDIES + "<int:number>/"

page_patterns = [
    path(AGREEMENT, agreement_views.show_agreement, name="agreement"),
    path(AGREEMENT + "details/", agreement_views.show_details, name="agreement_details"),
    path(AGREEMENT + "models/", agreement_views.show_models, name="agreement_models"),
    path(AGREEMENT + "several/", agreement_views.show_several, name="agreement_several"),
    path(AGREEMENT + "several.<str:format>", agreement_views.download_several, name="agreement_several_table"),
    path(AGREEMENT + "pairs/", agreement_views.show_pairs, name="agreement_pairs"),
    path(AGREEMENT + "pairs.<str:format>", agreement_views.download_pairs, name="agreement_pairs_table"),
    path(AGREEMENT + "matrix.<str:format>", agreement_views.download_matrix, name="agreement_matrix_file"),
    path(AGREEMENT + "<slug:name>.<str:format>", agreement_views.download_agreement, name="agreement_file"),
    path(ASSESSORS, assessors_views.show_assessors, name="assessor_statistics"),
    path(ASSESSORS + "<slug:name>.<str:format>", assessors_views.download_assessors, name="assessor_table"),
    path(CALIBRATION, calibration.show, name="calibration"),
    path(CALIBRATION + "<slug:name>.<str:format>", calibration.download, name="calibration_file"),
    path(INFLUENCE + "/", influence.show_influence, name="influence"),
    path(INFLUENCE + "/compute/", influence.compute_influence, name="compute_influence"),
    path(INFLUENCE + ".<str:format>", influence.download_influence, name="influence_table"),
    path(LEADERBOARD, leaderboard_views.show_leaderboard, name="leaderboard"),
    path(LEADERBOARD + "changes/", leaderboard_views.show_changes, name="leaderboard_changes"),
    path(LEADERBOARD + "system/", leaderboard_views.show_system, name="leaderboard_system"),
    path(LEADERBOARD + "systems.<str:format>", leaderboard_views.download_systems, name="leaderboard_systems"),
    path(LEADERBOARD + "places.<str:format>", leaderboard_views.download_places, name="leaderboard_places"),
    path(LEADERBOARD + "topics.<str:format>", leaderboard_views.download_topics, name="leaderboard_topics"),
    path(LEADERBOARD + "figure-<slug:name>.<str:format>", leaderboard_views.download_figure, name="leaderboard_figure"),
    path(LEADERBOARD + "<slug:name>.<str:format>", leaderboard_views.download_changes, name="leaderboard_changes_file"),
    path(STABILITY, ranking_stability.show, name="ranking_stability"),
    path("c/<slug:slug>/backstories/bias/", seed_bias.show, name="seed_bias"),
    path("c/<slug:slug>/backstories/bias.<str:format>", seed_bias.download, name="seed_bias_table"),
    path("c/<slug:slug>/variants/agreement/", variant_agreement.show, name="variant_agreement"),
    path("c/<slug:slug>/variants/agreement.<str:format>", variant_agreement.download, name="variant_agreement_table"),
    path(STUDIES, studies_views.studies, name="studies"),
    path(STUDIES + "new/<slug:kind>/", studies_views.new_study, name="new_study"),
    path(STUDY, studies_views.study, name="study"),
    path(STUDY + "again/", studies_views.run_study_again, name="run_study_again"),
    path(STUDY + "go-on/", studies_views.go_on_with_study, name="go_on_with_study"),
    path(STUDY + "delete/", studies_views.delete_study, name="delete_study"),
    path(STUDY + "figures/<slug:name>.<str:format>", studies_views.study_figure, name="study_figure"),
    path(STUDY + "tables/<slug:name>.<str:format>", studies_views.study_table, name="study_table"),
    path(STUDY + "<str:name>", studies_views.study_file, name="study_file"),
]


COLLECTION = "api/v1/collections/<slug:slug>/"

urlpatterns = [
    *page_patterns,
    path(COLLECTION + "agreement/", agreement_api.show_agreement, name="api_agreement"),
    path(COLLECTION + "agreement/details/", agreement_api.show_details, name="api_agreement_details"),
    path(COLLECTION + "agreement/groups/", agreement_api.show_groups, name="api_agreement_groups"),
    path(COLLECTION + "agreement/several/", agreement_api.show_several, name="api_agreement_several"),
    path(COLLECTION + "assessors/", assessors_views.answer_assessors, name="api_assessors"),
    path(COLLECTION + "comparison/", leaderboard_api.show_comparison, name="api_comparison"),
    path(COLLECTION + "influence/", influence.answer_influence, name="api_influence"),
    path(COLLECTION + "influence/compute/", influence.request_influence, name="api_compute_influence"),
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
