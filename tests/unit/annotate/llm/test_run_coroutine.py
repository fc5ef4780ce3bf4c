import asyncio

import pytest

from annotate.llm import concurrent_requests


async def answer(said):
    await asyncio.sleep(0)
    return said


async def fault():
    raise KeyError("no such")


def test_what_is_awaited_comes_back():
    assert concurrent_requests.run_coroutine(answer("yes")) == "yes"


def test_a_fault_comes_back_too():
    with pytest.raises(KeyError):
        concurrent_requests.run_coroutine(fault())


def test_it_works_where_a_loop_is_running():
    async def ask():
        return concurrent_requests.run_coroutine(answer("yes"))

    assert concurrent_requests.run_coroutine(ask()) == "yes"
