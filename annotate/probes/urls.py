from django.urls import path

from annotate.probes import views

urlpatterns = [path("c/<slug:slug>/suggestions/probe/", views.probe, name="probe")]
