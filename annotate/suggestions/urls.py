from django.urls import path

from annotate.suggestions.views import requests, suggestions

SUGGESTIONS = "c/<slug:slug>/suggestions/"

urlpatterns = [
    path(SUGGESTIONS, suggestions.suggestions, name="suggestions"),
    path(SUGGESTIONS + "own/", suggestions.start_own_judge, name="start_own_judge"),
    path(SUGGESTIONS + "successors/", suggestions.change_successors, name="change_successors"),
    path(SUGGESTIONS + "shown/", suggestions.choose_model, name="choose_model"),
    path(SUGGESTIONS + "ask/", requests.ask_model, name="ask_model"),
    path("c/<slug:slug>/backstories/compare/", requests.compare_needs, name="compare_needs"),
]
