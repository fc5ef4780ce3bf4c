from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from annotate.collections import views as collections_views
from annotate.home import views as home_views

urlpatterns = [
    path("", home_views.home, name="home"),
    path(
        "sign-in/",
        LoginView.as_view(template_name="account/sign_in.html", redirect_authenticated_user=True),
        name="sign_in",
    ),
    path("sign-out/", LogoutView.as_view(next_page="sign_in"), name="sign_out"),
    path("join/<str:secret>/", collections_views.join, name="join"),
    path("account/", home_views.account, name="account"),
    path("account/password/", home_views.change_password, name="change_password"),
    path("account/theme/", home_views.change_theme, name="change_theme"),
    path("account/shortcuts/", home_views.change_shortcuts, name="change_shortcuts"),
    path("account/tokens/", home_views.make_token, name="make_token"),
    path("account/tokens/delete/", home_views.delete_token, name="delete_token"),
]
