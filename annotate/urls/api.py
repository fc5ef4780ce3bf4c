"""The addresses of the API. Ids of topics and passages are opaque text: they stand in bodies, never in an address."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from annotate.api import (
    adjudication,
    cards,
    claims,
    collections,
    completed_qrels,
    holes,
    judgments,
    near_duplicates,
    pair_changes,
    pair_draws,
    predictions,
    progress,
)

COLLECTION = "api/v1/collections/<slug:slug>/"

urlpatterns = [
    path("api/v1/collections/", collections.index, name="api_collections"),
    path(COLLECTION, collections.detail, name="api_collection"),
    path(COLLECTION + "progress/", progress.show, name="api_progress"),
    path(COLLECTION + "next/", cards.next_pair, name="api_next"),
    path(COLLECTION + "claims/<uuid:token>/skip/", claims.skip, name="api_skip"),
    path(COLLECTION + "judgments/", judgments.record, name="api_judgments"),
    path(COLLECTION + "judgments/<int:judgment_id>/change/", judgments.change, name="api_change"),
    path(COLLECTION + "judgments/<int:judgment_id>/decide/", judgments.decide, name="api_decide"),
    path(COLLECTION + "adjudication/", adjudication.queue, name="api_adjudication"),
    path(COLLECTION + "adjudication/<int:pair_id>/", adjudication.pair, name="api_adjudicate"),
    path(COLLECTION + "pair-draws/", pair_draws.index, name="api_pair_draws"),
    path(COLLECTION + "pair-draws/<int:draw_id>/", pair_draws.detail, name="api_pair_draw"),
    path(COLLECTION + "pair-draws/sample/", pair_draws.draw_sample, name="api_draw_sample"),
    path(COLLECTION + "pair-draws/list/", pair_draws.draw_list, name="api_draw_list"),
    path(COLLECTION + "pair-draws/end/", pair_draws.end, name="api_end_draw"),
    path(COLLECTION + "pair-draws/calibration/", pair_draws.draw_calibration, name="api_draw_calibration"),
    path(COLLECTION + "pair-draws/calibration/end/", pair_draws.end_calibration, name="api_end_calibration"),
    path(COLLECTION + "pairs/add/", pair_changes.add, name="api_add_pairs"),
    path(COLLECTION + "pairs/withdraw/", pair_changes.withdraw, name="api_withdraw_pairs"),
    path(COLLECTION + "pairs/restore/", pair_changes.restore, name="api_restore_pairs"),
    path(COLLECTION + "near-duplicates/", near_duplicates.stream, name="api_near_duplicates"),
    path(COLLECTION + "near-duplicates/find/", near_duplicates.find, name="api_find_near_duplicates"),
    path(COLLECTION + "holes/", holes.stream, name="api_holes"),
    path(COLLECTION + "predictions/", predictions.upload, name="api_predictions"),
    path(COLLECTION + "completed-qrels/", completed_qrels.show, name="api_completed_qrels"),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(template_name="annotate/api_docs.html"), name="api_docs"),
]
