"""The addresses of texts that models write: backstories and query variants."""

from django.urls import path

from annotate.backstories import views as backstories_views
from annotate.suggestions.views import need_comparisons
from annotate.variants.views import checks, variants
from annotate.writing.views import profiles, writing

BACKSTORIES = "c/<slug:slug>/backstories/"
VARIANTS = "c/<slug:slug>/variants/"
CHECK = "c/<slug:slug>/check-variants/"

urlpatterns = [
    path(BACKSTORIES + "model/", writing.write_backstories, name="write_backstories"),
    path(BACKSTORIES + "approve/", backstories_views.approve_backstories, name="approve_backstories"),
    path(BACKSTORIES + "compare/", need_comparisons.compare_needs, name="compare_needs"),
    path(BACKSTORIES + "<int:topic_id>/", backstories_views.backstory_versions, name="backstory_versions"),
    path(
        "c/<slug:slug>/suggestions/batches/<int:batch_id>/take-back/", writing.take_back_batch, name="take_back_batch"
    ),
    path(VARIANTS, variants.variants, name="variants"),
    path(VARIANTS + "model/", writing.write_variants, name="write_variants"),
    path(VARIANTS + "profiles/", profiles.profiles_page, name="profiles"),
    path(VARIANTS + "measure/", variants.measure_variants, name="measure_variants"),
    path(VARIANTS + "people/", variants.draw_variant_checks, name="draw_variant_checks"),
    path(VARIANTS + "people/end/", variants.end_variant_checks, name="end_variant_checks"),
    path(CHECK, checks.check_variants, name="check_variants"),
    path(CHECK + "<int:variant_id>/save/", checks.save_variant_check, name="save_variant_check"),
]
