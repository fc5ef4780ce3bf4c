from django.urls import path

from annotate.views import history, judging

urlpatterns = [
    path("c/<slug:slug>/judge/", judging.judge, name="judge"),
    path("c/<slug:slug>/judge/save/", judging.save_judgment, name="save_judgment"),
    path("c/<slug:slug>/judge/skip/", judging.skip_pair, name="skip_pair"),
    path("c/<slug:slug>/judge/decide/<int:judgment_id>/", judging.decide, name="decide"),
    path("c/<slug:slug>/judge/renew/", judging.renew_claim, name="renew_claim"),
    path("c/<slug:slug>/judge/history/", history.history, name="history"),
    path("c/<slug:slug>/judge/history/<int:judgment_id>/", history.reopen, name="reopen"),
    path("c/<slug:slug>/judge/history/<int:judgment_id>/change/", history.change_judgment, name="change_judgment"),
]
