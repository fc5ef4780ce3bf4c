"""How static files are published: with a digest in the name, compressed, a script with what it imports in one file."""

import posixpath
import re
from collections.abc import Callable, Iterator

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

NAMES = r"\{(?P<names>[^}]*)\}"
IMPORT = re.compile(
    rf'^import\s+(?:(?:{NAMES}|\*\s+as\s+(?P<whole>\w+))\s+from\s+)?"(?P<source>\./[^"]+)";[^\n]*$', re.MULTILINE
)
EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function|class|const)\s+(\w+))", re.MULTILINE)
EXPORTED = re.compile(r"^export\s+(?:async\s+)?(?:function|class|const)\s+(\w+)", re.MULTILINE)
LEFT = re.compile(r"^(?:import|export)\b.*|\bimport\(.*", re.MULTILINE)


class CannotBundle(ValueError):
    """What a module does that a bundle could not do the same: its name and the line."""


def bundle(entry: str, read: Callable[[str], str]) -> str:
    """The script of the path `entry` and all that it imports, each module once and in the order in which a browser
    would run them; `read` gives the text of a path.

    Each module becomes a function that runs at once and returns what it exports. Known are imports of names, of a
    whole module and for effect alone, and exports of functions, classes and constants; raises CannotBundle for others.
    """
    done: dict[str, str] = {}
    _add(entry, read, done, ())
    return "\n".join(done.values())


def _add(path: str, read: Callable[[str], str], done: dict[str, str], importing: tuple[str, ...]) -> None:
    if path in importing:
        raise CannotBundle(f"{path} imports itself, by way of {', '.join(importing[importing.index(path) + 1 :])}")
    if path in done:
        return
    text = read(path)
    folder = posixpath.dirname(path)
    for found in IMPORT.finditer(text):
        _add(posixpath.normpath(posixpath.join(folder, found["source"])), read, done, (*importing, path))
    body = EXPORT.sub("", IMPORT.sub(lambda found: _taken(found, folder), text))
    if left := LEFT.search(body):
        raise CannotBundle(f"{path}: {left[0]}")
    names = ", ".join(EXPORTED.findall(text))
    done[path] = f"const {_variable(path)} = (() => {{\n{body}\nreturn {{ {names} }};\n}})();"


def _taken(found: re.Match[str], folder: str) -> str:
    """What stands in the place of an import."""
    module = _variable(posixpath.normpath(posixpath.join(folder, found["source"])))
    if found["whole"]:
        return f"const {found['whole']} = {module};"
    return f"const {{{found['names'].replace(' as ', ': ')}}} = {module};" if found["names"] else ""


def _variable(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path)


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

        content = ContentFile(bundle(name, read).encode())
        self.delete(name)
        return str(self.save(name, content))


def _is_ours(name: str) -> bool:
    return name.startswith(FOLDER) and name.endswith(".js")
