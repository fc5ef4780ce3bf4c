from django.urls import path

from annotate.pool import api, views

POOL = "c/<slug:slug>/pool/"

urlpatterns = [
    path(POOL, views.pool, name="pool"),
    path(POOL + "holes/", views.draw_holes, name="draw_holes"),
    path(POOL + "holes/undo/", views.undo_draw, name="undo_draw"),
    path(POOL + "retrieval/", views.retrieve, name="retrieve"),
    path("api/v1/collections/<slug:slug>/holes/", api.stream, name="api_holes"),
]
