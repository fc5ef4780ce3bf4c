from django.urls import path

from annotate.adjudication.views import adjudication

urlpatterns = [
    path("c/<slug:slug>/adjudication/", adjudication.adjudication, name="adjudication"),
    path("c/<slug:slug>/adjudication/settings/", adjudication.adjudication_settings, name="adjudication_settings"),
    path("c/<slug:slug>/adjudication/next/", adjudication.adjudicate, name="adjudicate"),
    path("c/<slug:slug>/adjudication/<int:pair_id>/", adjudication.adjudicate_pair, name="adjudicate_pair"),
    path("c/<slug:slug>/adjudication/<int:pair_id>/decide/", adjudication.decide_pair, name="decide_pair"),
]
