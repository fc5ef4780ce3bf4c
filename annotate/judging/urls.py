"""The addresses of an assessor and of who watches. Those that answer with a card are compressed; docs/adr/0012 says why
it is safe."""

from django.urls import path
from django.views.decorators.gzip import gzip_page

from annotate.judging import api, views

JUDGE = "c/<slug:slug>/judge/"
JUDGING = "c/<slug:slug>/judging/"
PROGRAMS = "api/v1/collections/<slug:slug>/"

urlpatterns = [
    path(JUDGE, gzip_page(views.judge), name="judge"),
    path(JUDGE + "save/", gzip_page(views.save_judgment), name="save_judgment"),
    path(JUDGE + "skip/", gzip_page(views.skip_pair), name="skip_pair"),
    path(JUDGE + "decide/<int:judgment_id>/", gzip_page(views.decide), name="decide"),
    path(JUDGE + "renew/", views.renew_claim, name="renew_claim"),
    path(JUDGE + "history/", views.history, name="history"),
    path(JUDGE + "history/<int:judgment_id>/", gzip_page(views.reopen), name="reopen"),
    path(JUDGE + "history/<int:judgment_id>/change/", gzip_page(views.change_judgment), name="change_judgment"),
    path(JUDGING, views.judging_settings, name="judging_settings"),
    path(JUDGING + "progress/", views.judging_progress, name="judging_progress"),
    path(JUDGING + "pause/", views.pause_judging, name="pause_judging"),
    path(PROGRAMS + "progress/", api.show_progress, name="api_progress"),
    path(PROGRAMS + "next/", api.next_pair, name="api_next"),
    path(PROGRAMS + "claims/<uuid:token>/skip/", api.skip_pair, name="api_skip"),
    path(PROGRAMS + "judgments/", api.record_judgment, name="api_judgments"),
    path(PROGRAMS + "judgments/<int:judgment_id>/change/", api.change_judgment, name="api_change"),
    path(PROGRAMS + "judgments/<int:judgment_id>/decide/", api.decide_after_reveal, name="api_decide"),
]
