"""The file of endpoints: what it says is offered, and what is wrong with it is said with its place."""

import os
from decimal import Decimal

import pytest

from annotate.llm import endpoints, providers

SERVICES = [*providers.installed()]
LOCAL = '[lab]\nkind = "openai"\nbase_url = "http://lab:8000/v1"\n'


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.setattr(endpoints, "FOLDER", tmp_path)
    monkeypatch.delenv(endpoints.VARIABLE, raising=False)

    def write(text, name="endpoints.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_without_a_file_there_are_the_services_alone(write):
    assert providers.list_names() == list(providers.installed())
    assert providers.find_flaw() == ""


def test_an_endpoint_is_offered_beside_the_services(write):
    write(LOCAL + '[lab-2]\nkind = "anthropic"\nbase_url = "https://proxy.example.org"\nlabel = "Our proxy"\n')
    assert providers.list_names() == [*SERVICES, "lab", "lab-2"]
    assert dict(providers.list_choices())["lab-2"] == "Our proxy"
    assert "http://lab:8000/v1" in dict(providers.list_choices())["lab"]


def test_json_says_the_same(write):
    write('{"lab": {"kind": "openai", "base_url": "http://lab:8000/v1/", "timeout": 5}}', "endpoints.json")
    found = providers.find_provider("lab").endpoint
    assert (found.url, found.timeout, found.key) == ("http://lab:8000/v1", 5, "")


def test_a_variable_names_another_file(write, monkeypatch, tmp_path):
    write(LOCAL)
    elsewhere = write(LOCAL.replace("[lab]", "[other]"), "ours.toml")
    monkeypatch.setenv(endpoints.VARIABLE, str(elsewhere))
    assert "other" in providers.list_names()
    assert "lab" not in providers.list_names()


def test_a_changed_file_is_read_again(write):
    path = write(LOCAL)
    assert "lab" in providers.list_names()
    path.write_text(LOCAL.replace("[lab]", "[library]"))
    assert "library" in providers.list_names()


def test_a_local_server_needs_no_key_and_one_that_names_a_key_does(write, monkeypatch):
    write(LOCAL + '[wanting]\nkind = "openai"\nbase_url = "http://b/v1"\nkey = "WANTING_API_KEY"\n')
    for name in ("WANTING_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    missing = providers.missing_setups()
    assert missing["lab"] == ""
    assert missing["wanting"] == "Set WANTING_API_KEY in the environment of the server and of the worker."


def test_its_prices_stand_before_those_of_the_table(write):
    write(LOCAL + 'as_of = 2026-11-01\nprice = {fresh = 0.2, given = 0.8}\n[lab.prices."gpt-4o"]\nfresh=1\ngiven=2\n')
    every, own = providers.find_price("lab", "llama3.1"), providers.find_price("lab", "gpt-4o")
    assert (every.fresh, every.cached, every.written, every.given) == tuple(map(Decimal, ("0.2", "0.2", "0.2", "0.8")))
    assert (own.fresh, own.given) == (1, 2)
    assert providers.find_prices("lab", "llama3.1").as_of == "2026-11-01"
    assert providers.find_price("openai", "gpt-4o").fresh == Decimal("2.50")


def test_without_a_day_of_its_own_prices_are_of_the_day_of_the_file(write):
    path = write(LOCAL + "price = {fresh = 1, given = 1}\n")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert providers.find_prices("lab", "m").as_of == "2023-11-14"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[lab\n", "endpoints.toml: Expected"),
        (b"\xff\xfe", "The file of endpoints cannot be read (it is not in UTF-8)"),
        ("lab = 3", "endpoints.toml, endpoint lab, the whole of it:"),
        ('[lab]\nbase_url = "http://a/v1"', "endpoints.toml, endpoint lab, kind: Field required"),
        ('[lab]\nkind = "llama"', "endpoint lab: kind: llama is none of "),
        (LOCAL + "timeout = 0", "endpoint lab, timeout: Input should be greater"),
        (LOCAL + 'timeout = "soon"', "endpoint lab, timeout: Input should be a valid integer"),
        (LOCAL + "time_out = 3", "endpoint lab, time_out: Extra inputs are not permitted"),
        (LOCAL + "concurrency = -1", "endpoint lab, concurrency: Input should be greater"),
        (LOCAL + "price = {fresh = 1}", "endpoint lab, price.given: Field required"),
        (LOCAL + "price = {fresh = -1, given = 1}", "endpoint lab, price.fresh: Input should be greater"),
        (LOCAL + "price = {fresh = nan, given = 1}", "endpoint lab, price.fresh: Input should be"),
        (LOCAL + "price = {fresh = 2, given = 1, written = 1}", "price.written: is at least what fresh is"),
        (LOCAL + 'key = "sk-12 34"', "endpoint lab, key: is the name of a variable"),
        (LOCAL + 'key = "LAB_PASSWORD"', "endpoint lab: key: name a variable that ends in _KEY"),
        ('[lab]\nkind = "openai"\nbase_url = "lab:8000"', "endpoint lab, base_url: has to begin with http://"),
        ('[lab]\nkind = "openai"\nbase_url = "http://me:secret@lab"', "endpoint lab, base_url: has to begin"),
        (LOCAL.replace("[lab]", "[openai]"), "endpoint openai: this name is taken"),
        (LOCAL.replace("[lab]", "[calibrated-2]"), "endpoint calibrated-2: this name is taken"),
        (LOCAL.replace("[lab]", '["Our Lab"]'), "endpoint Our Lab: a name has up to 40 small letters"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(write, text, said):
    write(text)
    flaw = providers.find_flaw()
    assert said in flaw
    assert flaw.endswith("None of the named endpoints can be asked until the file is fixed.")
    assert "secret" not in flaw
    assert providers.list_names() == SERVICES
    assert flaw in providers.explain_absence("lab")


def test_a_file_that_is_not_there_is_said(write, monkeypatch, tmp_path):
    monkeypatch.setenv(endpoints.VARIABLE, str(tmp_path / "none.toml"))
    assert "cannot be read (No such file" in providers.find_flaw()


def test_two_files_are_refused(write):
    write(LOCAL)
    write("{}", "endpoints.json")
    assert "keep one of them" in providers.find_flaw()
