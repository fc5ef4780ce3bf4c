"""How static files are published: with a digest in their name, compressed, and scripts with what they import."""

from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config import bundling

FOLDER = "js/"


class BundledStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Each of our scripts is published with the modules that it imports in it."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        if not dry_run:
            paths = {**paths, **{name: (self, self._publish(name, paths)) for name in paths if _is_ours(name)}}
        yield from super().post_process(paths, dry_run=dry_run, **options)

    def _publish(self, name: str, paths: dict[str, Any]) -> str:
        def read(path: str) -> str:
            storage, place = paths[path]
            with storage.open(place) as file:
                return file.read().decode()

        content = ContentFile(bundling.bundle(name, read).encode())
        self.delete(name)
        return self.save(name, content)


def _is_ours(name: str) -> bool:
    return name.startswith(FOLDER) and name.endswith(".js")
