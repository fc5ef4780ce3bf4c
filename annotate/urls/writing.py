"""The addresses of texts that models write: backstories and query variants."""

from django.urls import path

from annotate.backstories import views as backstories_views
from annotate.suggestions.views import requests
from annotate.variants import views as variants_views
from annotate.writing.views import profiles, writing

BACKSTORIES = "c/<slug:slug>/backstories/"
VARIANTS = "c/<slug:slug>/variants/"
CHECK = "c/<slug:slug>/check-variants/"

urlpatterns = [
    path(BACKSTORIES + "model/", writing.write_backstories, name="write_backstories"),
    path(BACKSTORIES + "approve/", backstories_views.approve_backstories, name="approve_backstories"),
    path(BACKSTORIES + "compare/", requests.compare_needs, name="compare_needs"),
    path(BACKSTORIES + "<int:topic_id>/", backstories_views.backstory_versions, name="backstory_versions"),
    path(
        "c/<slug:slug>/suggestions/batches/<int:batch_id>/take-back/", writing.take_back_batch, name="take_back_batch"
    ),
    path(VARIANTS, variants_views.variants, name="variants"),
    path(VARIANTS + "model/", writing.write_variants, name="write_variants"),
    path(VARIANTS + "profiles/", profiles.profiles_page, name="profiles"),
    path(VARIANTS + "measure/", variants_views.measure_variants, name="measure_variants"),
    path(VARIANTS + "people/", variants_views.draw_variant_checks, name="draw_variant_checks"),
    path(VARIANTS + "people/end/", variants_views.end_variant_checks, name="end_variant_checks"),
    path(CHECK, variants_views.check_variants, name="check_variants"),
    path(CHECK + "<int:variant_id>/save/", variants_views.save_variant_check, name="save_variant_check"),
]
