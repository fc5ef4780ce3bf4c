"""The standard-library modules whose documentation is read.

Written out rather than discovered, because importing a module runs it: those that open windows or browsers
(`antigravity`, `this`, `turtle`), touch the terminal (`readline`, `curses`, `pdb` and what imports it), exist
on one platform only, or were removed between Python 3.11 and 3.14 are left out. The order decides under which
name a thing that several modules offer is listed: the first one keeps it.
"""

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
