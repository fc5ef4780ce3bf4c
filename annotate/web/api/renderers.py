"""Forms of answers other than JSON. Errors are JSON unless the Accept header asks for such a form alone."""

import json

from rest_framework.renderers import BaseRenderer, JSONRenderer


class JsonLines(JSONRenderer):
    media_type = "application/x-ndjson"
    format = "ndjson"


class PlainText(BaseRenderer):
    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(self, data: object, accepted_media_type: str | None = None, renderer_context: object = None) -> str:
        if isinstance(data, dict) and "detail" in data:
            return f"{data['detail']}\n"
        return json.dumps(data)
