from django.urls import include, path

urlpatterns = [
    path("", include("annotate.urls")),
    path("", include("evaluation.urls")),
]

handler403 = "annotate.views.errors.forbidden"
handler404 = "annotate.views.errors.not_found"
handler500 = "annotate.views.errors.server_error"
