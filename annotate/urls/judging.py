"""The addresses of an assessor. Those that answer with a card are compressed; docs/adr/0012 says why it is safe."""

from django.urls import path
from django.views.decorators.gzip import gzip_page

from annotate.backstories import views as backstories_views
from annotate.judging.views import history, judging

JUDGE = "c/<slug:slug>/judge/"

urlpatterns = [
    path(JUDGE, gzip_page(judging.judge), name="judge"),
    path(JUDGE + "save/", gzip_page(judging.save_judgment), name="save_judgment"),
    path(JUDGE + "skip/", gzip_page(judging.skip_pair), name="skip_pair"),
    path(JUDGE + "decide/<int:judgment_id>/", gzip_page(judging.decide), name="decide"),
    path(JUDGE + "renew/", judging.renew_claim, name="renew_claim"),
    path(JUDGE + "backstory/<int:backstory_id>/wrong/", backstories_views.flag_backstory, name="flag_backstory"),
    path(JUDGE + "history/", history.history, name="history"),
    path(JUDGE + "history/<int:judgment_id>/", gzip_page(history.reopen), name="reopen"),
    path(JUDGE + "history/<int:judgment_id>/change/", gzip_page(history.change_judgment), name="change_judgment"),
]
