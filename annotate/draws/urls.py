from django.urls import path

from annotate.draws import views
from annotate.draws.api import draws, pairs

PAGES = "c/<slug:slug>/pairs/"
PROGRAMS = "api/v1/collections/<slug:slug>/"

urlpatterns = [
    path(PAGES, views.show_pairs, name="pairs"),
    path(PAGES + "sample/", views.draw_sample, name="draw_sample"),
    path(PAGES + "list/", views.draw_list, name="draw_list"),
    path(PAGES + "end/", views.end_draw, name="end_draw"),
    path(PAGES + "calibration/", views.draw_calibration, name="draw_calibration"),
    path(PAGES + "calibration/end/", views.end_calibration, name="end_calibration"),
    path(PAGES + "add/", views.add_pairs, name="add_pairs"),
    path(PAGES + "withdraw/", views.withdraw_pairs, name="withdraw_pairs"),
    path(PAGES + "restore/", views.restore_pairs, name="restore_pairs"),
    path(PAGES + "near-duplicates/", views.show_near_duplicates, name="near_duplicates"),
    path(PAGES + "near-duplicates/find/", views.find_near_duplicates, name="find_near_duplicates"),
    path(PROGRAMS + "pair-draws/", draws.list_draws, name="api_pair_draws"),
    path(PROGRAMS + "pair-draws/<int:draw_id>/", draws.show_draw, name="api_pair_draw"),
    path(PROGRAMS + "pair-draws/sample/", draws.draw_sample, name="api_draw_sample"),
    path(PROGRAMS + "pair-draws/list/", draws.draw_list, name="api_draw_list"),
    path(PROGRAMS + "pair-draws/end/", draws.end_draw, name="api_end_draw"),
    path(PROGRAMS + "pair-draws/calibration/", draws.draw_calibration, name="api_draw_calibration"),
    path(PROGRAMS + "pair-draws/calibration/end/", draws.end_calibration, name="api_end_calibration"),
    path(PROGRAMS + "pairs/add/", pairs.add_pairs, name="api_add_pairs"),
    path(PROGRAMS + "pairs/withdraw/", pairs.withdraw_pairs, name="api_withdraw_pairs"),
    path(PROGRAMS + "pairs/restore/", pairs.restore_pairs, name="api_restore_pairs"),
    path(PROGRAMS + "near-duplicates/", pairs.stream_near_duplicates, name="api_near_duplicates"),
    path(PROGRAMS + "near-duplicates/find/", pairs.find_near_duplicates, name="api_find_near_duplicates"),
]
