"""What a loss of power, a full disk or a bad one makes of a file."""

from pathlib import Path

DAMAGES = {
    "of 0 bytes": lambda whole: b"",
    "cut off": lambda whole: whole[: 2 * len(whole) // 3],
    "with a bit that flipped": lambda whole: whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:],
}


def do(damage: str, path: Path) -> None:
    whole = path.read_bytes()
    damaged = DAMAGES[damage](whole)
    assert damaged != whole
    path.write_bytes(damaged)
