from django.urls import path

from evaluation.pages import calibration, ranking_stability, seed_bias, variant_agreement
from evaluation.pages.agreement import views as agreement_views
from evaluation.pages.assessors import views as assessors_views
from evaluation.pages.influence import views as influence_views
from evaluation.pages.leaderboard import views as leaderboard_views
from evaluation.studies import views as studies_views

AGREEMENT = "c/<slug:slug>/agreement/"
ASSESSORS = "c/<slug:slug>/assessors/"
CALIBRATION = "c/<slug:slug>/suggestions/calibration/"
INFLUENCE = "c/<slug:slug>/pairs/influence"
LEADERBOARD = "c/<slug:slug>/leaderboard/"
STABILITY = "c/<slug:slug>/judging/stability/"
STUDIES = "c/<slug:slug>/studies/"
STUDY = STUDIES + "<int:number>/"

urlpatterns = [
    path(AGREEMENT, agreement_views.show_agreement, name="agreement"),
    path(AGREEMENT + "details/", agreement_views.show_details, name="agreement_details"),
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
    path(INFLUENCE + "/", influence_views.show_influence, name="influence"),
    path(INFLUENCE + "/compute/", influence_views.compute_influence, name="compute_influence"),
    path(INFLUENCE + ".<str:format>", influence_views.download_influence, name="influence_table"),
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
