from django.urls import path

from annotate.exports import api, views

urlpatterns = [
    path("c/<slug:slug>/exports/", views.exports, name="exports"),
    path("c/<slug:slug>/exports/<int:number>/<str:name>", views.export_file, name="export_file"),
    path("c/<slug:slug>/exports/judgments.<str:kind>", views.judgments_file, name="judgments_file"),
    path("api/v1/collections/<slug:slug>/judgments/export/", api.export_judgments, name="api_export_judgments"),
    path("api/v1/collections/<slug:slug>/completed-qrels/", api.completed_qrels, name="api_completed_qrels"),
]
