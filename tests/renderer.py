"""A renderer that stays: its start takes a second, a chart a tenth. One process for all charts of a session."""

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

import pytest

from evaluation.plots import rendering
from evaluation.plots.figure import Figure

in_a_process_of_its_own = rendering.render_all  # what is put aside here


def draw(figure: Figure, format: rendering.Format) -> bytes:
    """One drawing. Raises NotDrawn."""
    return rendering.render_all([(figure, format)])[0]


@contextmanager
def staying() -> Iterator[None]:
    """While it lasts `rendering` draws by one process, which starts with the first chart."""
    with (
        ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process,
        pytest.MonkeyPatch.context() as patch,
    ):

        def render_all(asked: Sequence[tuple[Figure, rendering.Format]]) -> list[bytes]:
            try:
                return list(process.map(_draw, asked, timeout=rendering.SECONDS))
            except Exception as fault:
                raise rendering.NotDrawn(str(fault)) from None

        patch.setattr(rendering, "render_all", render_all)
        yield


def _draw(asked: tuple[Figure, rendering.Format]) -> bytes:
    from evaluation.plots import __main__ as renderer

    return renderer.drawn(*asked)
