"""The addresses of background work, and of the description of the API."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from annotate.web import views

WORK = "c/<slug:slug>/work/<int:work_id>/"

urlpatterns = [
    path(WORK, views.work_progress, name="work_progress"),
    path(WORK + "stop/", views.stop_work, name="stop_work"),
    path(WORK + "resume/", views.resume_work, name="resume_work"),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(template_name="annotate/web/api_docs.html"), name="api_docs"),
]
