from django.urls import path

from annotate.adjudication import api, views

PAGES = "c/<slug:slug>/adjudication/"
PROGRAMS = "api/v1/collections/<slug:slug>/adjudication/"

urlpatterns = [
    path(PAGES, views.adjudication, name="adjudication"),
    path(PAGES + "settings/", views.adjudication_settings, name="adjudication_settings"),
    path(PAGES + "next/", views.adjudicate, name="adjudicate"),
    path(PAGES + "<int:pair_id>/", views.adjudicate_pair, name="adjudicate_pair"),
    path(PAGES + "<int:pair_id>/decide/", views.decide_pair, name="decide_pair"),
    path(PROGRAMS, api.list_queue, name="api_adjudication"),
    path(PROGRAMS + "<int:pair_id>/", api.show_or_decide, name="api_adjudicate"),
]
