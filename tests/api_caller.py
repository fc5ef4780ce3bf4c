"""A program that calls the API."""

import json
import uuid

from django.test import Client
from knox.models import AuthToken

from annotate.models import Collection, User


class Caller:
    """Sends JSON below a collection's address with a personal token."""

    def __init__(self, user: User, collection: Collection) -> None:
        self.base = f"/api/v1/collections/{collection.slug}/"
        self.client = Client(headers={"authorization": f"Token {AuthToken.objects.create(user=user)[1]}"})

    def get(self, path: str = "", **parameters: str):
        return self.client.get(self.base + path, parameters)

    def post(self, path: str, body: object = None, key: uuid.UUID | str | None = None):
        headers = {"Idempotency-Key": str(key)} if key else {}
        return self.client.post(self.base + path, json.dumps(body), content_type="application/json", headers=headers)

    def post_lines(self, path: str, *lines: object):
        body = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        return self.client.post(self.base + path, body, content_type="application/x-ndjson")
