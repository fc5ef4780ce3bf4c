from django.urls import path

from annotate.draws import views as draws_views

PAIRS = "c/<slug:slug>/pairs/"

urlpatterns = [
    path(PAIRS, draws_views.show_pairs, name="pairs"),
    path(PAIRS + "sample/", draws_views.draw_sample, name="draw_sample"),
    path(PAIRS + "list/", draws_views.draw_list, name="draw_list"),
    path(PAIRS + "end/", draws_views.end_draw, name="end_draw"),
    path(PAIRS + "calibration/", draws_views.draw_calibration, name="draw_calibration"),
    path(PAIRS + "calibration/end/", draws_views.end_calibration, name="end_calibration"),
    path(PAIRS + "add/", draws_views.add_pairs, name="add_pairs"),
    path(PAIRS + "withdraw/", draws_views.withdraw_pairs, name="withdraw_pairs"),
    path(PAIRS + "restore/", draws_views.restore_pairs, name="restore_pairs"),
    path(PAIRS + "near-duplicates/", draws_views.show_near_duplicates, name="near_duplicates"),
    path(PAIRS + "near-duplicates/find/", draws_views.find_near_duplicates, name="find_near_duplicates"),
]
