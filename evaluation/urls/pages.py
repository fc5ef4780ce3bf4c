from django.urls import path

from evaluation.views import agreement, leaderboard

urlpatterns = [
    path("c/<slug:slug>/agreement/", agreement.agreement, name="agreement"),
    path("c/<slug:slug>/leaderboard/", leaderboard.leaderboard, name="leaderboard"),
]
