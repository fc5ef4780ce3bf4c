from django.urls import path

from annotate.draws import api, views

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
    path(PROGRAMS + "pair-draws/", api.list_draws, name="api_pair_draws"),
    path(PROGRAMS + "pair-draws/<int:draw_id>/", api.show_draw, name="api_pair_draw"),
    path(PROGRAMS + "pair-draws/sample/", api.draw_sample, name="api_draw_sample"),
    path(PROGRAMS + "pair-draws/list/", api.draw_list, name="api_draw_list"),
    path(PROGRAMS + "pair-draws/end/", api.end_draw, name="api_end_draw"),
    path(PROGRAMS + "pair-draws/calibration/", api.draw_calibration, name="api_draw_calibration"),
    path(PROGRAMS + "pair-draws/calibration/end/", api.end_calibration, name="api_end_calibration"),
    path(PROGRAMS + "pairs/add/", api.add_pairs, name="api_add_pairs"),
    path(PROGRAMS + "pairs/withdraw/", api.withdraw_pairs, name="api_withdraw_pairs"),
    path(PROGRAMS + "pairs/restore/", api.restore_pairs, name="api_restore_pairs"),
    path(PROGRAMS + "near-duplicates/", api.stream_near_duplicates, name="api_near_duplicates"),
    path(PROGRAMS + "near-duplicates/find/", api.find_near_duplicates, name="api_find_near_duplicates"),
]
