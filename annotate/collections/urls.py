from django.urls import path

from annotate.collections import views

COLLECTION = "c/<slug:slug>/"

urlpatterns = [
    path("join/<str:secret>/", views.join, name="join"),
    path(COLLECTION + "guidelines/", views.guidelines, name="guidelines"),
    path(COLLECTION + "guidelines/scale/", views.change_scale, name="change_scale"),
    path(COLLECTION + "people/", views.people, name="people"),
    path(COLLECTION + "people/invite/", views.invite, name="invite"),
    path(COLLECTION + "people/invite/<int:invitation_id>/end/", views.end_invitation, name="end_invitation"),
    path(COLLECTION + "people/<int:member_id>/deactivate/", views.deactivate_member, name="deactivate_member"),
    path(COLLECTION + "people/<int:member_id>/password/", views.reset_password, name="reset_password"),
]
