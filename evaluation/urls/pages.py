from django.urls import path

from evaluation.views import agreement, agreement_files, agreement_pairs, leaderboard, leaderboard_files, system

AGREEMENT = "c/<slug:slug>/agreement/"
LEADERBOARD = "c/<slug:slug>/leaderboard/"

urlpatterns = [
    path(AGREEMENT, agreement.agreement, name="agreement"),
    path(AGREEMENT + "details/", agreement.details, name="agreement_details"),
    path(AGREEMENT + "pairs/", agreement_pairs.pairs, name="agreement_pairs"),
    path(AGREEMENT + "pairs.<str:format>", agreement_pairs.table, name="agreement_pairs_table"),
    path(AGREEMENT + "matrix.<str:format>", agreement_files.of_all, name="agreement_matrix_file"),
    path(AGREEMENT + "<slug:name>.<str:format>", agreement_files.of_two, name="agreement_file"),
    path(LEADERBOARD, leaderboard.leaderboard, name="leaderboard"),
    path(LEADERBOARD + "changes/", leaderboard.changes, name="leaderboard_changes"),
    path(LEADERBOARD + "system/", system.system, name="leaderboard_system"),
    path(LEADERBOARD + "systems.<str:format>", leaderboard_files.systems, name="leaderboard_systems"),
    path(LEADERBOARD + "pairs.<str:format>", leaderboard_files.pairs, name="leaderboard_pairs"),
    path(LEADERBOARD + "topics.<str:format>", system.topics, name="leaderboard_topics"),
    path(LEADERBOARD + "figure-<slug:name>.<str:format>", leaderboard_files.figure, name="leaderboard_figure"),
]
