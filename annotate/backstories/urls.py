from django.urls import path

from annotate.backstories import views

BACKSTORIES = "c/<slug:slug>/backstories/"

urlpatterns = [
    path(BACKSTORIES, views.backstories, name="backstories"),
    path(BACKSTORIES + "approve/", views.approve_backstories, name="approve_backstories"),
    path(BACKSTORIES + "<int:backstory_id>/approve/", views.approve_backstory, name="approve_backstory"),
    path(BACKSTORIES + "<int:topic_id>/", views.backstory_versions, name="backstory_versions"),
    path(BACKSTORIES + "<int:topic_id>/write/", views.write_backstory, name="write_backstory"),
    path("c/<slug:slug>/judge/backstory/<int:backstory_id>/wrong/", views.flag_backstory, name="flag_backstory"),
]
