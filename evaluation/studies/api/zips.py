"""Answers that are archives; errors stay JSON."""

import json

from rest_framework.renderers import BaseRenderer


class Zip(BaseRenderer):
    media_type = "application/zip"
    format = "zip"
    charset = None
    render_style = "binary"

    def render(self, data: object, accepted_media_type: str | None = None, renderer_context: object = None) -> bytes:
        """What is no archive: an error where only archives are accepted."""
        return json.dumps(data).encode()
