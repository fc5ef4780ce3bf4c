"""The addresses of the API. Ids of topics and passages are opaque text: they stand in bodies, never in an address."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from annotate.adjudication import api as adjudication_api
from annotate.draws.api import draws, pairs
from annotate.exports import api as exports_api
from annotate.home import api as home_api
from annotate.imports import api as imports_api
from annotate.judging.api import cards, judgments
from annotate.pool import api as pool_api

COLLECTION = "api/v1/collections/<slug:slug>/"

urlpatterns = [
    path("api/v1/collections/", home_api.index, name="api_collections"),
    path(COLLECTION, home_api.detail, name="api_collection"),
    path(COLLECTION + "progress/", cards.show_progress, name="api_progress"),
    path(COLLECTION + "next/", cards.next_pair, name="api_next"),
    path(COLLECTION + "claims/<uuid:token>/skip/", cards.skip_pair, name="api_skip"),
    path(COLLECTION + "judgments/", judgments.record_judgment, name="api_judgments"),
    path(COLLECTION + "judgments/<int:judgment_id>/change/", judgments.change_judgment, name="api_change"),
    path(COLLECTION + "judgments/<int:judgment_id>/decide/", judgments.decide_after_reveal, name="api_decide"),
    path(COLLECTION + "adjudication/", adjudication_api.list_queue, name="api_adjudication"),
    path(COLLECTION + "adjudication/<int:pair_id>/", adjudication_api.show_or_decide, name="api_adjudicate"),
    path(COLLECTION + "pair-draws/", draws.list_draws, name="api_pair_draws"),
    path(COLLECTION + "pair-draws/<int:draw_id>/", draws.show_draw, name="api_pair_draw"),
    path(COLLECTION + "pair-draws/sample/", draws.draw_sample, name="api_draw_sample"),
    path(COLLECTION + "pair-draws/list/", draws.draw_list, name="api_draw_list"),
    path(COLLECTION + "pair-draws/end/", draws.end_draw, name="api_end_draw"),
    path(COLLECTION + "pair-draws/calibration/", draws.draw_calibration, name="api_draw_calibration"),
    path(COLLECTION + "pair-draws/calibration/end/", draws.end_calibration, name="api_end_calibration"),
    path(COLLECTION + "pairs/add/", pairs.add_pairs, name="api_add_pairs"),
    path(COLLECTION + "pairs/withdraw/", pairs.withdraw_pairs, name="api_withdraw_pairs"),
    path(COLLECTION + "pairs/restore/", pairs.restore_pairs, name="api_restore_pairs"),
    path(COLLECTION + "near-duplicates/", pairs.stream_near_duplicates, name="api_near_duplicates"),
    path(COLLECTION + "near-duplicates/find/", pairs.find_near_duplicates, name="api_find_near_duplicates"),
    path(COLLECTION + "holes/", pool_api.stream, name="api_holes"),
    path(COLLECTION + "predictions/", imports_api.upload, name="api_predictions"),
    path(COLLECTION + "completed-qrels/", exports_api.completed_qrels, name="api_completed_qrels"),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(template_name="annotate/web/api_docs.html"), name="api_docs"),
]
