from django.urls import path

from evaluation.pages import ranking_stability, seed_bias
from evaluation.pages.agreement.views import agreement, pairs, several, variant_agreement
from evaluation.pages.agreement.views import files as agreement_files
from evaluation.pages.assessors.views import statistics
from evaluation.pages.calibration.views import calibration
from evaluation.pages.influence import views as influence_views
from evaluation.pages.leaderboard.views import files as leaderboard_files
from evaluation.pages.leaderboard.views import leaderboard, system
from evaluation.studies.views import downloads, studies, study

AGREEMENT = "c/<slug:slug>/agreement/"
ASSESSORS = "c/<slug:slug>/assessors/"
CALIBRATION = "c/<slug:slug>/suggestions/calibration/"
INFLUENCE = "c/<slug:slug>/pairs/influence"
LEADERBOARD = "c/<slug:slug>/leaderboard/"
STABILITY = "c/<slug:slug>/judging/stability/"
STUDIES = "c/<slug:slug>/studies/"
STUDY = STUDIES + "<int:number>/"

urlpatterns = [
    path(AGREEMENT, agreement.agreement, name="agreement"),
    path(AGREEMENT + "details/", agreement.details, name="agreement_details"),
    path(AGREEMENT + "several/", several.page, name="agreement_several"),
    path(AGREEMENT + "several.<str:format>", several.table, name="agreement_several_table"),
    path(AGREEMENT + "pairs/", pairs.pairs, name="agreement_pairs"),
    path(AGREEMENT + "pairs.<str:format>", pairs.table, name="agreement_pairs_table"),
    path(AGREEMENT + "matrix.<str:format>", agreement_files.of_all, name="agreement_matrix_file"),
    path(AGREEMENT + "<slug:name>.<str:format>", agreement_files.of_two, name="agreement_file"),
    path(ASSESSORS, statistics.page, name="assessor_statistics"),
    path(ASSESSORS + "<slug:name>.<str:format>", statistics.table, name="assessor_table"),
    path(CALIBRATION, calibration.page, name="calibration"),
    path(CALIBRATION + "<slug:name>.<str:format>", calibration.file, name="calibration_file"),
    path(INFLUENCE + "/", influence_views.page, name="influence"),
    path(INFLUENCE + "/compute/", influence_views.compute, name="compute_influence"),
    path(INFLUENCE + ".<str:format>", influence_views.table, name="influence_table"),
    path(LEADERBOARD, leaderboard.leaderboard, name="leaderboard"),
    path(LEADERBOARD + "changes/", leaderboard.changes, name="leaderboard_changes"),
    path(LEADERBOARD + "system/", system.system, name="leaderboard_system"),
    path(LEADERBOARD + "systems.<str:format>", leaderboard_files.systems, name="leaderboard_systems"),
    path(LEADERBOARD + "places.<str:format>", leaderboard_files.places, name="leaderboard_places"),
    path(LEADERBOARD + "topics.<str:format>", system.topics, name="leaderboard_topics"),
    path(LEADERBOARD + "figure-<slug:name>.<str:format>", leaderboard_files.figure, name="leaderboard_figure"),
    path(LEADERBOARD + "<slug:name>.<str:format>", leaderboard_files.changes, name="leaderboard_changes_file"),
    path(STABILITY, ranking_stability.page, name="ranking_stability"),
    path("c/<slug:slug>/backstories/bias/", seed_bias.page, name="seed_bias"),
    path("c/<slug:slug>/backstories/bias.<str:format>", seed_bias.table, name="seed_bias_table"),
    path("c/<slug:slug>/variants/agreement/", variant_agreement.page, name="variant_agreement"),
    path("c/<slug:slug>/variants/agreement.<str:format>", variant_agreement.table, name="variant_agreement_table"),
    path(STUDIES, studies.studies, name="studies"),
    path(STUDIES + "new/<slug:kind>/", studies.new_study, name="new_study"),
    path(STUDY, study.study, name="study"),
    path(STUDY + "again/", study.run_study_again, name="run_study_again"),
    path(STUDY + "go-on/", study.go_on_with_study, name="go_on_with_study"),
    path(STUDY + "delete/", study.delete_study, name="delete_study"),
    path(STUDY + "figures/<slug:name>.<str:format>", downloads.study_figure, name="study_figure"),
    path(STUDY + "tables/<slug:name>.<str:format>", downloads.study_table, name="study_table"),
    path(STUDY + "<str:name>", downloads.study_file, name="study_file"),
]
