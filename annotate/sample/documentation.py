"""The passages of the sample collection: the documentation of the Python that runs Lacuna.

Nothing is bundled or downloaded. A passage is the docstring of a public module, class or function of the
standard library, or of a method of the classes that most people use, under its qualified name
(`itertools.groupby`, `str.split`), or a part of a help topic (`topics/with#the-with-statement`).
"""

import contextlib
import importlib
import inspect
import itertools
import warnings
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from annotate.formats.records import Passage
from annotate.sample import help_topics
from annotate.sample.modules import MODULES, WITH_METHODS

MIN_WORDS = 4


def read_passages() -> list[Passage]:
    """All passages, about 3,000, in an order that depends on the Python version and platform only.

    A thing offered by several modules, and a text that occurs twice, is listed once, under its first name. A
    text of fewer than `MIN_WORDS` words says nothing and is left out. The title is the qualified name, or the
    heading a help topic stands under. Takes under a second. Modules that this Python lacks are left out;
    importing the others prints and warns nothing.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(_distinct(itertools.chain(_docstrings(), help_topics.passages())))


def _distinct(passages: Iterable[Passage]) -> Iterator[Passage]:
    """The passages that say something, without those whose id or text came before."""
    passage_ids: set[str] = set()
    texts: set[str] = set()
    for passage in passages:
        is_new = passage.passage_id not in passage_ids and passage.text not in texts
        if is_new and len(passage.text.split()) >= MIN_WORDS:
            passage_ids.add(passage.passage_id)
            texts.add(passage.text)
            yield passage


def _docstrings() -> Iterator[Passage]:
    """The docstrings of modules with their classes and functions, then those of methods."""
    seen: set[int] = set()
    methods: list[tuple[str, Any]] = []
    for module_name, module in _imported():
        yield from _passage(module_name, module)
        prefix = "" if module_name == "builtins" else f"{module_name}."
        for name, thing in _public(module):
            if id(thing) not in seen:
                seen.add(id(thing))
                yield from _passage(prefix + name, thing)
                methods += _methods(prefix + name, thing) if module_name in WITH_METHODS else ()
    for name, thing in methods:
        yield from _passage(name, thing)


def _imported() -> Iterator[tuple[str, ModuleType]]:
    """The modules by the names they are known by (`os.path`), without those this Python was built without."""
    for name in MODULES:
        with contextlib.suppress(ImportError):
            yield name, importlib.import_module(name)


def _public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The classes and functions that a module offers, in the order in which it defines or lists them."""
    for name in getattr(module, "__all__", None) or list(vars(module)):
        thing = getattr(module, name, None)
        is_of_kind = inspect.isclass(thing) or inspect.isroutine(thing)
        if is_of_kind and not name.startswith("_") and _is_own(name, thing, module):
            yield name, thing


def _is_own(name: str, thing: Any, module: ModuleType) -> bool:
    """Whether a thing belongs to the module, under its proper name.

    It does not where the module has it by another name too (`IOError` for `OSError`). A module without
    `__all__` offers what it defines itself, or what its C twin (`_name`) defines for it.
    """
    proper = getattr(thing, "__name__", name)
    if proper != name and getattr(module, proper, None) is thing:
        return False
    homes = (None, module.__name__, f"_{module.__name__}")
    return module.__name__ == "builtins" or hasattr(module, "__all__") or thing.__module__ in homes


def _methods(class_name: str, cls: Any) -> list[tuple[str, Any]]:
    """The public methods and properties that a class defines itself or takes from a private base."""
    if not inspect.isclass(cls):
        return []
    owners = {name: base for base in reversed(cls.__mro__) for name in vars(base) if not name.startswith("_")}
    return [
        (f"{class_name}.{name}", getattr(cls, name, None))
        for name, owner in sorted(owners.items(), key=lambda item: item[0])
        if owner is cls or "_" in owner.__module__ + owner.__name__
    ]


def _passage(qualified_name: str, thing: Any) -> Iterator[Passage]:
    """One passage, or none where there is no documentation."""
    documentation = getattr(thing, "__doc__", None)
    if isinstance(documentation, str):
        text = inspect.cleandoc(documentation).rstrip()
        yield Passage(passage_id=qualified_name, text=text, title=qualified_name)
