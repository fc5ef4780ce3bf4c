"""Drawing figures: each is rendered once and kept by the digest of what is on it."""

import os
import tempfile

from annotate.queries import kept_files
from evaluation.plots import rendering
from evaluation.plots.figure import Figure
from evaluation.plots.rendering import Format

# Not among the kept folders: no backup needs what is drawn again.
FOLDER = "figures"


def draw(figure: Figure, format: Format) -> bytes:
    """The bytes of the drawing; the first time takes a second or two. Raises rendering.NotDrawn."""
    path = kept_files.path(f"{FOLDER}/{figure.digest}.{format}")
    if path.is_file():
        return path.read_bytes()
    drawn = rendering.render(figure, format)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as stream:
        stream.write(drawn)
    os.replace(stream.name, path)
    return drawn
