from django.urls import path

from annotate.imports import api, views

IMPORTS = "c/<slug:slug>/imports/"

urlpatterns = [
    path(IMPORTS, views.imports, name="imports"),
    path(IMPORTS + "<int:file_id>/", views.import_detail, name="import_detail"),
    path(IMPORTS + "<int:file_id>/withdraw/", views.withdraw_import, name="withdraw_import"),
    path(IMPORTS + "<int:file_id>/families/", views.change_families, name="change_families"),
    path("api/v1/collections/<slug:slug>/predictions/", api.upload, name="api_predictions"),
]
