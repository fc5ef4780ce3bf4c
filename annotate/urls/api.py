"""The addresses of the API. Ids of topics and passages are opaque text: they stand in bodies, never in an address."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from annotate.api import cards, claims, collections, completed_qrels, holes, judgments, predictions, progress

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
    path(COLLECTION + "holes/", holes.stream, name="api_holes"),
    path(COLLECTION + "predictions/", predictions.upload, name="api_predictions"),
    path(COLLECTION + "completed-qrels/", completed_qrels.show, name="api_completed_qrels"),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(template_name="annotate/api_docs.html"), name="api_docs"),
]
