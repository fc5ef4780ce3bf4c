"""The passages of the sample collection: the documentation of the Python that runs Lacuna.

Nothing is bundled or downloaded. A passage is the docstring of a public module, class or function of the
standard library, or of a method of the classes that most people use, under its qualified name
(`itertools.groupby`, `str.split`), or a part of a help topic (`topics/with#the-with-statement`).
"""

import contextlib
import importlib
import inspect
import itertools
import re
import warnings
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from annotate.formats.records import Passage

# Written out rather than discovered, because importing a module runs it: those that open windows or browsers
# (`antigravity`, `this`, `turtle`), touch the terminal (`readline`, `curses`, `pdb` and what imports it), exist on one
# platform only, or were removed between Python 3.11 and 3.14 are left out. The order decides under which name a thing
# that several modules offer is listed: the first one keeps it.
_MODULES = """
    builtins string re difflib textwrap unicodedata struct codecs
    datetime zoneinfo calendar collections collections.abc heapq bisect array weakref types copy pprint reprlib
    enum graphlib numbers math cmath decimal fractions random statistics itertools functools operator
    pathlib os os.path fileinput stat filecmp tempfile glob fnmatch linecache shutil
    pickle copyreg shelve marshal dbm sqlite3 zlib gzip bz2 lzma zipfile tarfile
    csv configparser tomllib netrc plistlib hashlib hmac secrets
    io time argparse logging logging.config logging.handlers getpass platform errno ctypes
    threading multiprocessing multiprocessing.pool multiprocessing.shared_memory concurrent.futures subprocess
    sched queue contextvars asyncio socket ssl select selectors signal mmap
    email email.message email.parser email.policy email.headerregistry email.utils json mailbox mimetypes
    base64 binascii quopri html html.parser html.entities
    xml.etree.ElementTree xml.dom.minidom xml.sax xml.sax.saxutils
    webbrowser urllib urllib.request urllib.response urllib.parse urllib.error urllib.robotparser
    http http.client http.server http.cookies http.cookiejar ftplib poplib imaplib smtplib uuid socketserver
    xmlrpc.client xmlrpc.server ipaddress wsgiref.simple_server wsgiref.util wave colorsys gettext locale
    cmd shlex pydoc unittest unittest.mock timeit trace tracemalloc cProfile profile pstats
    faulthandler bdb venv zipapp sys sysconfig warnings dataclasses contextlib abc atexit traceback gc inspect
    site code codeop zipimport pkgutil modulefinder runpy importlib importlib.resources importlib.metadata
    importlib.util ast symtable token keyword tokenize tabnanny pyclbr py_compile compileall dis pickletools
    typing optparse getopt stringprep
"""
_WITH_METHODS = """
    builtins string re difflib datetime collections decimal random statistics pathlib timeit csv
    configparser argparse queue threading concurrent.futures subprocess smtplib email.message http.client
    urllib.request json
"""

MODULES = tuple(_MODULES.split())

WITH_METHODS = frozenset(_WITH_METHODS.split())
"""Those whose classes are read with their methods."""

MAX_CHARACTERS = 1500
WORDS_IN_NAME = 7

_UNDERLINE = re.compile(r"([=\-~*^\"])\1{2,}")


def read_help_topics() -> Iterator[Passage]:
    """The parts of all topics, short topics first: a section that a long one repeats comes after its own."""
    from pydoc_data.topics import topics

    for name, text in sorted(topics.items(), key=lambda item: (len(item[1]), item[0])):
        yield from split_topic(name, text)


def split_topic(topic: str, text: str) -> Iterator[Passage]:
    """The parts of a help topic (`help("with")`), most of them of `MAX_CHARACTERS` at most; a paragraph is never cut.

    A topic is cut at its headings, and a long section further between paragraphs. A part is named by its topic and by
    the words it begins with, not by a number: in another Python version a part that begins elsewhere then has another
    name, and a grade is never given to a text that nobody graded.
    """
    names: dict[str, int] = {}
    for heading, section in _sections(text):
        for part in _parts(section):
            name = f"topics/{topic}#{_slug(part)}"
            names[name] = names.get(name, 0) + 1
            passage_id = name if names[name] == 1 else f"{name}-{names[name]}"
            yield Passage(passage_id=passage_id, text=part, title=heading or topic)


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """(heading, paragraphs) of each section; a heading is a paragraph whose second line underlines it."""
    heading = ""
    paragraphs: list[str] = []
    for paragraph in re.split(r"\n(?:[ \t]*\n)+", text.strip("\n")):
        lines = paragraph.split("\n")
        if len(lines) == 2 and _UNDERLINE.fullmatch(lines[1]):
            if paragraphs:
                yield heading, paragraphs
            heading, paragraphs = lines[0], []
        paragraphs.append(paragraph)
    yield heading, paragraphs


def _parts(paragraphs: list[str]) -> Iterator[str]:
    """Paragraphs joined while they fit; an indented one stays with the one above it up to twice the size."""
    part: list[str] = []
    for paragraph in paragraphs:
        limit = 2 * MAX_CHARACTERS if paragraph.startswith(" ") else MAX_CHARACTERS
        if part and sum(map(len, part)) + len(paragraph) > limit:
            yield "\n\n".join(part)
            part = []
        part.append(paragraph)
    yield "\n\n".join(part)


def _slug(part: str) -> str:
    """The first words of a part, in small letters, with hyphens between."""
    return "-".join(re.findall(r"\w+", part)[:WORDS_IN_NAME]).lower() or "part"


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
        return list(_distinct(itertools.chain(_docstrings(), read_help_topics())))


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
