"""The addresses of an assessor and of who watches. Those that answer with a card are compressed; docs/adr/0012 says why
it is safe."""

from django.urls import path
from django.views.decorators.gzip import gzip_page

from annotate.judging.api import cards, judgments
from annotate.judging.views import history, judging, settings

JUDGE = "c/<slug:slug>/judge/"
JUDGING = "c/<slug:slug>/judging/"
PROGRAMS = "api/v1/collections/<slug:slug>/"

urlpatterns = [
    path(JUDGE, gzip_page(judging.judge), name="judge"),
    path(JUDGE + "save/", gzip_page(judging.save_judgment), name="save_judgment"),
    path(JUDGE + "skip/", gzip_page(judging.skip_pair), name="skip_pair"),
    path(JUDGE + "decide/<int:judgment_id>/", gzip_page(judging.decide), name="decide"),
    path(JUDGE + "renew/", judging.renew_claim, name="renew_claim"),
    path(JUDGE + "history/", history.history, name="history"),
    path(JUDGE + "history/<int:judgment_id>/", gzip_page(history.reopen), name="reopen"),
    path(JUDGE + "history/<int:judgment_id>/change/", gzip_page(history.change_judgment), name="change_judgment"),
    path(JUDGING, settings.judging_settings, name="judging_settings"),
    path(JUDGING + "progress/", settings.judging_progress, name="judging_progress"),
    path(JUDGING + "pause/", settings.pause_judging, name="pause_judging"),
    path(PROGRAMS + "progress/", cards.show_progress, name="api_progress"),
    path(PROGRAMS + "next/", cards.next_pair, name="api_next"),
    path(PROGRAMS + "claims/<uuid:token>/skip/", cards.skip_pair, name="api_skip"),
    path(PROGRAMS + "judgments/", judgments.record_judgment, name="api_judgments"),
    path(PROGRAMS + "judgments/<int:judgment_id>/change/", judgments.change_judgment, name="api_change"),
    path(PROGRAMS + "judgments/<int:judgment_id>/decide/", judgments.decide_after_reveal, name="api_decide"),
]
