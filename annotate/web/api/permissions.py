"""Who may use the API at all; what a person may do in a collection is asked in annotate.web.access."""

from rest_framework.permissions import BasePermission
from rest_framework.request import Request


class HasOwnPassword(BasePermission):
    """A password that somebody else chose is changed before anything else is done, with a token too."""

    message = "Change your first password on the site before you use the API."

    def has_permission(self, request: Request, view: object) -> bool:
        return not request.user.must_change_password
