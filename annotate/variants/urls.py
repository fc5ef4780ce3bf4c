from django.urls import path

from annotate.variants import views

VARIANTS = "c/<slug:slug>/variants/"
CHECK = "c/<slug:slug>/check-variants/"

urlpatterns = [
    path(VARIANTS, views.variants, name="variants"),
    path(VARIANTS + "measure/", views.measure_variants, name="measure_variants"),
    path(VARIANTS + "people/", views.draw_variant_checks, name="draw_variant_checks"),
    path(VARIANTS + "people/end/", views.end_variant_checks, name="end_variant_checks"),
    path(CHECK, views.check_variants, name="check_variants"),
    path(CHECK + "<int:variant_id>/save/", views.save_variant_check, name="save_variant_check"),
    path("c/<slug:slug>/exports/variants/<str:name>", views.variant_file, name="variant_file"),
]
