from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from annotate.home import api, views

urlpatterns = [
    path("", views.home, name="home"),
    path(
        "sign-in/",
        LoginView.as_view(template_name="account/sign_in.html", redirect_authenticated_user=True),
        name="sign_in",
    ),
    path("sign-out/", LogoutView.as_view(next_page="sign_in"), name="sign_out"),
    path("account/", views.account, name="account"),
    path("account/password/", views.change_password, name="change_password"),
    path("account/theme/", views.change_theme, name="change_theme"),
    path("account/shortcuts/", views.change_shortcuts, name="change_shortcuts"),
    path("account/tokens/", views.make_token, name="make_token"),
    path("account/tokens/delete/", views.delete_token, name="delete_token"),
    path("collections/new/", views.new_collection, name="new_collection"),
    path("c/<slug:slug>/", views.collection, name="collection"),
    path("api/v1/collections/", api.index, name="api_collections"),
    path("api/v1/collections/<slug:slug>/", api.detail, name="api_collection"),
]
