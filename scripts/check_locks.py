"""Whether the lock files fit the requirements, on every Python that Lacuna runs on; asks no registry.

Each requirement has a pin that satisfies it, and both locks pin a package alike.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
Pins = dict[str, str]


def requirements(name: str) -> Iterator[Requirement]:
    """The requirements of a file and of the files that it includes."""
    for line in (ROOT / name).read_text().splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("-r "):
            yield from requirements(line.removeprefix("-r ").strip())
        elif line:
            yield Requirement(line)


def pins(name: str, python: str) -> Pins:
    """Package -> version of a lock, on Linux with that Python."""
    environment = {"python_version": python, "python_full_version": f"{python}.9", "sys_platform": "linux"}
    return {
        canonicalize_name(pin.name): next(iter(pin.specifier)).version
        for pin in requirements(name)
        if pin.marker is None or pin.marker.evaluate(environment)
    }


def faults(python: str) -> Iterator[str]:
    runtime, development = pins("requirements.lock", python), pins("requirements-dev.lock", python)
    for name, locked in (("requirements.txt", runtime), ("requirements-dev.txt", development)):
        for wanted in requirements(name):
            version = locked.get(canonicalize_name(wanted.name))
            if version is None or not wanted.specifier.contains(version, prereleases=True):
                yield f"Python {python}: {name} wants {wanted}; locked is {version or 'nothing'}"
    for package, version in runtime.items():
        if development.get(package) != version:
            yield f"Python {python}: {package} is {version} in one lock, {development.get(package)} in the other"


if __name__ == "__main__":
    found = [fault for python in PYTHONS for fault in faults(python)]
    print("\n".join(found) or "The locks fit the requirements.")
    sys.exit(bool(found))
