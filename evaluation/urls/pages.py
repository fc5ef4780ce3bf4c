from django.urls import path

from evaluation.views import (
    agreement,
    agreement_files,
    agreement_pairs,
    assessor_statistics,
    influence,
    leaderboard,
    leaderboard_files,
    several,
    system,
)

AGREEMENT = "c/<slug:slug>/agreement/"
ASSESSORS = "c/<slug:slug>/assessors/"
INFLUENCE = "c/<slug:slug>/pairs/influence"
LEADERBOARD = "c/<slug:slug>/leaderboard/"

urlpatterns = [
    path(AGREEMENT, agreement.agreement, name="agreement"),
    path(AGREEMENT + "details/", agreement.details, name="agreement_details"),
    path(AGREEMENT + "several/", several.page, name="agreement_several"),
    path(AGREEMENT + "several.<str:format>", several.table, name="agreement_several_table"),
    path(AGREEMENT + "pairs/", agreement_pairs.pairs, name="agreement_pairs"),
    path(AGREEMENT + "pairs.<str:format>", agreement_pairs.table, name="agreement_pairs_table"),
    path(AGREEMENT + "matrix.<str:format>", agreement_files.of_all, name="agreement_matrix_file"),
    path(AGREEMENT + "<slug:name>.<str:format>", agreement_files.of_two, name="agreement_file"),
    path(ASSESSORS, assessor_statistics.page, name="assessor_statistics"),
    path(ASSESSORS + "<slug:name>.<str:format>", assessor_statistics.table, name="assessor_table"),
    path(INFLUENCE + "/", influence.page, name="influence"),
    path(INFLUENCE + "/compute/", influence.compute, name="compute_influence"),
    path(INFLUENCE + ".<str:format>", influence.table, name="influence_table"),
    path(LEADERBOARD, leaderboard.leaderboard, name="leaderboard"),
    path(LEADERBOARD + "changes/", leaderboard.changes, name="leaderboard_changes"),
    path(LEADERBOARD + "system/", system.system, name="leaderboard_system"),
    path(LEADERBOARD + "systems.<str:format>", leaderboard_files.systems, name="leaderboard_systems"),
    path(LEADERBOARD + "places.<str:format>", leaderboard_files.places, name="leaderboard_places"),
    path(LEADERBOARD + "topics.<str:format>", system.topics, name="leaderboard_topics"),
    path(LEADERBOARD + "figure-<slug:name>.<str:format>", leaderboard_files.figure, name="leaderboard_figure"),
    path(LEADERBOARD + "<slug:name>.<str:format>", leaderboard_files.changes, name="leaderboard_changes_file"),
]
