from django.urls import path

from annotate.texts import views

BACKSTORIES = "c/<slug:slug>/backstories/"

backstory_patterns = [
    path(BACKSTORIES, views.backstories, name="backstories"),
    path(BACKSTORIES + "approve/", views.approve_backstories, name="approve_backstories"),
    path(BACKSTORIES + "<int:backstory_id>/approve/", views.approve_backstory, name="approve_backstory"),
    path(BACKSTORIES + "<int:topic_id>/", views.backstory_versions, name="backstory_versions"),
    path(BACKSTORIES + "<int:topic_id>/write/", views.write_backstory, name="write_backstory"),
    path("c/<slug:slug>/judge/backstory/<int:backstory_id>/wrong/", views.flag_backstory, name="flag_backstory"),
]


VARIANTS = "c/<slug:slug>/variants/"
CHECK = "c/<slug:slug>/check-variants/"

urlpatterns = [
    *backstory_patterns,
    path(VARIANTS, views.variants, name="variants"),
    path(VARIANTS + "measure/", views.measure_variants, name="measure_variants"),
    path(VARIANTS + "people/", views.draw_variant_checks, name="draw_variant_checks"),
    path(VARIANTS + "people/end/", views.end_variant_checks, name="end_variant_checks"),
    path(CHECK, views.check_variants, name="check_variants"),
    path(CHECK + "<int:variant_id>/save/", views.save_variant_check, name="save_variant_check"),
    path("c/<slug:slug>/exports/variants/<str:name>", views.variant_file, name="variant_file"),
]
