import pytest

from annotate.work import engine


@pytest.fixture
def no_beats(monkeypatch):
    """Long work inside the transaction of a test: its lease is not renewed by a thread, which SQLite would let wait."""
    monkeypatch.setattr(engine, "BEAT_SECONDS", 600)
