"""The addresses of the API. Ids of topics and passages are opaque text: they stand in bodies, never in an address."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from annotate.adjudication import api as adjudication_api
from annotate.draws.api import changes, draws, near_duplicates
from annotate.exports.api import completed_qrels
from annotate.home import api as home_api
from annotate.imports import api as imports_api
from annotate.judging.api import cards, claims, judgments, progress
from annotate.pool import api as pool_api

COLLECTION = "api/v1/collections/<slug:slug>/"

urlpatterns = [
    path("api/v1/collections/", home_api.index, name="api_collections"),
    path(COLLECTION, home_api.detail, name="api_collection"),
    path(COLLECTION + "progress/", progress.show, name="api_progress"),
    path(COLLECTION + "next/", cards.next_pair, name="api_next"),
    path(COLLECTION + "claims/<uuid:token>/skip/", claims.skip, name="api_skip"),
    path(COLLECTION + "judgments/", judgments.record, name="api_judgments"),
    path(COLLECTION + "judgments/<int:judgment_id>/change/", judgments.change, name="api_change"),
    path(COLLECTION + "judgments/<int:judgment_id>/decide/", judgments.decide, name="api_decide"),
    path(COLLECTION + "adjudication/", adjudication_api.queue, name="api_adjudication"),
    path(COLLECTION + "adjudication/<int:pair_id>/", adjudication_api.pair, name="api_adjudicate"),
    path(COLLECTION + "pair-draws/", draws.index, name="api_pair_draws"),
    path(COLLECTION + "pair-draws/<int:draw_id>/", draws.detail, name="api_pair_draw"),
    path(COLLECTION + "pair-draws/sample/", draws.draw_sample, name="api_draw_sample"),
    path(COLLECTION + "pair-draws/list/", draws.draw_list, name="api_draw_list"),
    path(COLLECTION + "pair-draws/end/", draws.end, name="api_end_draw"),
    path(COLLECTION + "pair-draws/calibration/", draws.draw_calibration, name="api_draw_calibration"),
    path(COLLECTION + "pair-draws/calibration/end/", draws.end_calibration, name="api_end_calibration"),
    path(COLLECTION + "pairs/add/", changes.add, name="api_add_pairs"),
    path(COLLECTION + "pairs/withdraw/", changes.withdraw, name="api_withdraw_pairs"),
    path(COLLECTION + "pairs/restore/", changes.restore, name="api_restore_pairs"),
    path(COLLECTION + "near-duplicates/", near_duplicates.stream, name="api_near_duplicates"),
    path(COLLECTION + "near-duplicates/find/", near_duplicates.find, name="api_find_near_duplicates"),
    path(COLLECTION + "holes/", pool_api.stream, name="api_holes"),
    path(COLLECTION + "predictions/", imports_api.upload, name="api_predictions"),
    path(COLLECTION + "completed-qrels/", completed_qrels.show, name="api_completed_qrels"),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(template_name="annotate/web/api_docs.html"), name="api_docs"),
]
