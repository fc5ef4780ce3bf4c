from django.urls import path

from annotate.draws.views import changes, near_duplicates, pairs

PAIRS = "c/<slug:slug>/pairs/"

urlpatterns = [
    path(PAIRS, pairs.pairs, name="pairs"),
    path(PAIRS + "sample/", pairs.draw_sample, name="draw_sample"),
    path(PAIRS + "list/", pairs.draw_list, name="draw_list"),
    path(PAIRS + "end/", pairs.end_draw, name="end_draw"),
    path(PAIRS + "calibration/", pairs.draw_calibration, name="draw_calibration"),
    path(PAIRS + "calibration/end/", pairs.end_calibration, name="end_calibration"),
    path(PAIRS + "add/", changes.add_pairs, name="add_pairs"),
    path(PAIRS + "withdraw/", changes.withdraw_pairs, name="withdraw_pairs"),
    path(PAIRS + "restore/", changes.restore_pairs, name="restore_pairs"),
    path(PAIRS + "near-duplicates/", near_duplicates.near_duplicates, name="near_duplicates"),
    path(PAIRS + "near-duplicates/find/", near_duplicates.find_near_duplicates, name="find_near_duplicates"),
]
