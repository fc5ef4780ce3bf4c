from django.urls import path

from annotate.adjudication import views as adjudication_views

urlpatterns = [
    path("c/<slug:slug>/adjudication/", adjudication_views.adjudication, name="adjudication"),
    path(
        "c/<slug:slug>/adjudication/settings/", adjudication_views.adjudication_settings, name="adjudication_settings"
    ),
    path("c/<slug:slug>/adjudication/next/", adjudication_views.adjudicate, name="adjudicate"),
    path("c/<slug:slug>/adjudication/<int:pair_id>/", adjudication_views.adjudicate_pair, name="adjudicate_pair"),
    path("c/<slug:slug>/adjudication/<int:pair_id>/decide/", adjudication_views.decide_pair, name="decide_pair"),
]
