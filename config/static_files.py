"""How static files are published: with a digest in their name, compressed, and scripts with what they import."""

from collections.abc import Iterator

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config import bundling

FOLDER = "js/"
Paths = dict[str, tuple[Storage, str]]  # a file by name: where it is stored, and under which path
Processed = tuple[str, str | None, bool | Exception]  # its name, the published one, whether it was changed


class BundledStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise has no types
    """Each of our scripts is published with the modules that it imports in it."""

    def post_process(self, paths: Paths, dry_run: bool = False, **options: object) -> Iterator[Processed]:
        if not dry_run:
            paths = {**paths, **{name: (self, self._publish(name, paths)) for name in paths if _is_ours(name)}}
        yield from super().post_process(paths, dry_run=dry_run, **options)

    def _publish(self, name: str, paths: Paths) -> str:
        def read(path: str) -> str:
            storage, place = paths[path]
            with storage.open(place) as file:
                content: bytes = file.read()
            return content.decode()

        content = ContentFile(bundling.bundle(name, read).encode())
        self.delete(name)
        return str(self.save(name, content))


def _is_ours(name: str) -> bool:
    return name.startswith(FOLDER) and name.endswith(".js")
