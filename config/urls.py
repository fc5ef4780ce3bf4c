from django.urls import include, path

urlpatterns = [path("", include("annotate.urls")), path("", include("evaluation.urls"))]

handler403 = "annotate.web.views.forbidden"
handler404 = "annotate.web.views.not_found"
handler500 = "annotate.web.views.server_error"
