from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from annotate.collections.views import invitations
from annotate.home.views import account

urlpatterns = [
    path("", account.home, name="home"),
    path(
        "sign-in/",
        LoginView.as_view(template_name="account/sign_in.html", redirect_authenticated_user=True),
        name="sign_in",
    ),
    path("sign-out/", LogoutView.as_view(next_page="sign_in"), name="sign_out"),
    path("join/<str:secret>/", invitations.join, name="join"),
    path("account/", account.account, name="account"),
    path("account/password/", account.change_password, name="change_password"),
    path("account/theme/", account.change_theme, name="change_theme"),
    path("account/shortcuts/", account.change_shortcuts, name="change_shortcuts"),
    path("account/tokens/", account.make_token, name="make_token"),
    path("account/tokens/delete/", account.delete_token, name="delete_token"),
]
