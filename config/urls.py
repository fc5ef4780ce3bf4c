from django.urls import include, path

urlpatterns = [
    path("", include("annotate.urls")),
    path("", include("evaluation.urls")),
]

handler403 = "annotate.web.errors.forbidden"
handler404 = "annotate.web.errors.not_found"
handler500 = "annotate.web.errors.server_error"
