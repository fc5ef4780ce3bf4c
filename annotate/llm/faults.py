"""What can go wrong between us and a service, told apart by what is to be done about it."""


class Fault(Exception):
    """A request that got no reply. `cause` is a few plain words for counting; the message is for people."""

    def __init__(self, cause: str, message: str = "") -> None:
        super().__init__(message or cause)
        self.cause = cause


class Passing(Fault):
    """Worth another attempt: rate limits, overload, lost connections, an answer that broke off.

    `after`: the seconds that the service asks for.
    """

    def __init__(self, cause: str, message: str = "", after: float | None = None) -> None:
        super().__init__(cause, message)
        self.after = after


class Filtered(Fault):
    """The service's filter kept this request from the model; asking again is of no use."""


class Rejected(Fault):
    """The service cannot take this one request, now or later (too long, malformed)."""


class Closed(Fault):
    """The service takes nothing from us: no key, wrong key, no such model, spending limit. The batch stops here."""
