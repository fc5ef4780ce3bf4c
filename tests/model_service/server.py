"""The server: Anthropic's messages and batches, OpenAI's chat completions. `python -m tests.model_service.server`.

It prints its address; GET /count tells what it has delivered.
"""

import json
import math
import re
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

from tests.model_service import models, texts
from tests.model_service import script as scripts
from tests.model_service.openai_batches import Batches
from tests.model_service.script import KEY, LOST, QUOTING, Script

NO_MODEL = "no-such-model"


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, script: Script, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.script = script
        self.batches: dict[str, dict] = {}
        self.openai = Batches()
        self.cached: set[str] = set()
        self.batches_are_listed = True

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that go away are no news."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def log_message(self, *_: object) -> None:
        """Silent."""

    def do_GET(self) -> None:
        if self.server.script.away and self.path != "/count":
            return self._turn_away()
        if self.path.split("?")[0] == "/v1/messages/batches":
            return self._list_batches()
        if self.path == "/count":
            script = self.server.script
            told = {"calls": script.calls, "most_under_way": script.most_under_way, "tokens": dict(script.tokens)}
            return self._json(200, told | {"seconds": script.last_at - script.first_at})
        if self.path.startswith("/v1/models/"):
            name = self.path.rsplit("/", 1)[-1]
            if self.server.script.has_model_list and name in models.MODELS:
                return self._json(200, models.info(name))
            return self._error(404, "not_found_error", "Not found")
        if self.path.startswith("/v1/files/"):
            return self._send(200, self.server.openai.files[self.path.split("/")[3]], "application/octet-stream")
        if self.path.startswith("/v1/batches/"):
            return self._json(200, self.server.openai.look(self.path.split("/")[3], self, self.server.script))
        batch_id, is_results = self.path.split("?")[0].rsplit("/", 1)[-1], self.path.endswith("/results")
        script = self.server.script
        if is_results:
            if script.missing_results:
                script.missing_results -= 1
                return self._error(404, "not_found_error", "Not found")
            return self._results(self.path.split("/")[-2])
        if script.missing_looks:
            script.missing_looks -= 1
            return self._error(404, "not_found_error", "Not found")
        return self._json(200, self._batch(batch_id, is_look=True))

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", 0))
        content = self.rfile.read(size)
        is_file = self.path == "/v1/files"
        body = {} if is_file else json.loads(content or b"{}")
        if self.server.script.away:
            return self._turn_away()
        key = (
            self.headers.get("x-api-key")
            or self.headers.get("api-key")
            or self.headers.get("authorization", "").removeprefix("Bearer ")
        )
        self.server.script.keys.add(key)
        if key != KEY and self.server.script.needs_key:
            return self._error(401, "authentication_error", f"invalid key {key}")  # as some servers do: it is repeated
        if is_file:
            return self._json(200, self.server.openai.upload(self.headers["content-type"], content))
        if self.path.startswith("/v1/batches"):
            return self._json(200, self._openai_batch(body))
        if body.get("model") == NO_MODEL:
            return self._error(404, "not_found_error", "no such model")
        if self.path.endswith("/cancel"):
            batch = self.server.batches[self.path.split("/")[-2]]
            batch["is_cancelled"] = True
            return self._json(200, self._batch(batch["id"]))
        if self.path.endswith("/batches"):
            return self._submit(body)
        with self._under_way():
            self._answer(self._of_cloud(body), is_chat=self.path.split("?")[0].endswith("/chat/completions"))

    def _of_cloud(self, body: dict) -> dict:
        """Clouds name the model in the address."""
        named = re.search(r"/model/([^/]+)/invoke|/models/([^/]+):rawPredict", self.path)
        return body | {"model": unquote(named[1] or named[2])} if named else body

    def _openai_batch(self, body: dict) -> dict:
        known, script = self.server.openai, self.server.script
        if self.path.endswith("/cancel"):
            return known.cancel(self.path.split("/")[3], self, script)
        return known.create(body, script)

    @contextmanager
    def _under_way(self) -> Iterator[None]:
        script = self.server.script
        with script.lock:
            script.under_way += 1
            script.first_at = script.first_at or time.monotonic()
            script.most_under_way = max(script.most_under_way, script.under_way)
        try:
            yield
        finally:
            with script.lock:
                script.under_way -= 1
                script.last_at = time.monotonic()

    def _answer(self, body: dict, is_chat: bool) -> None:
        script, asked = self.server.script, json.dumps(body, sort_keys=True)
        script.asked.append({"path": self.path, **{k: v for k, v in body.items() if k != "messages"}})
        if refusal := models.find_refusal(body, is_chat):
            status = 403 if "not allowed" in refusal[1] else 400
            return self._refuse(status, *refusal)
        if script.rejects:
            return self._error(400, "invalid_request_error", script.rejects)
        fault = script.fault_of(asked)
        is_kept = self._beginning(body) in self.server.cached
        time.sleep(script.seconds)
        if fault in ("429", "429 with retry-after"):
            after = {"retry-after": "1"} if fault != "429" else {}
            return self._error(429, "rate_limit_error", "too many", after)
        if fault in ("500", "529"):
            return self._error(int(fault), "api_error", "overloaded")
        if fault in QUOTING:
            return self._error(int(fault.removeprefix("quoting ")), "api_error", f"not with the key {KEY}")
        if fault == "reset":
            return self._tear()
        if fault == "filter":
            return self._error(400, "invalid_request_error", "stopped by the content filter")
        answer = self._chat(body, asked, fault) if is_chat else self._message(body, asked, fault, is_kept)
        content = json.dumps(answer).encode()
        if fault == "cut":
            return self._send(200, content[: len(content) // 2])
        usage = answer["usage"]
        if is_chat:
            script.pay(usage["prompt_tokens"], usage["completion_tokens"])
        else:
            cached, written = usage["cache_read_input_tokens"], usage["cache_creation_input_tokens"]
            script.pay(usage["input_tokens"], usage["output_tokens"], cached, written)
        return self._tear() if fault == LOST else self._send(200, content)

    def _tear(self) -> None:
        # Linger 0: the connection is torn, not closed.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _turn_away(self) -> None:
        script = self.server.script
        with script.lock:
            script.turned_away += 1
        self._error(int(script.away), "overloaded_error", f"Overloaded, says {KEY}")

    def _refuse(self, status: int, parameter: str, message: str) -> None:
        error = {
            "type": "invalid_request_error",
            "message": message,
            "param": parameter,
            "code": "unsupported_parameter",
        }
        self._send(status, json.dumps({"type": "error", "error": error}).encode())

    def _text(self, asked: str, fault: str, is_structured: bool) -> str:
        said = None if fault else self.server.script.next_said()
        return texts.text(asked, fault, is_structured) if said is None else said

    def _spoken(self, body: dict, asked: str, fault: str, is_structured: bool) -> tuple[str, bool, int]:
        """The text as far as the tokens allow, whether it is cut, and the tokens of thinking before it."""
        model, text = models.find_model(body["model"]), self._text(asked, fault, is_structured)
        thought = model.thought(body)
        if model.marks:
            text, thought = f"<think>{'Perhaps final grade: 3. ' * 50}</think>\n\n{text}", 0
        text, is_cut = texts.cut(text, body, thought)
        return text, is_cut, thought

    @staticmethod
    def _beginning(body: dict) -> str:
        """What is kept of a prompt once it is answered; empty where nothing is, since it is too short."""
        fixed = json.dumps(body.get("system", ""))
        is_marked, least = '"cache_control"' in fixed, models.find_model(body["model"]).cache_from
        return fixed if is_marked and len(fixed) // 4 >= least else ""

    def _message(self, body: dict, asked: str, fault: str = "", is_kept: bool | None = None) -> dict:
        """`is_kept`: the beginning was kept when the call came; now, where nobody tells."""
        fixed = self._beginning(body)
        read = len(fixed) // 4
        size = len(json.dumps(body["messages"])) // 4 + (0 if fixed else len(json.dumps(body.get("system", ""))) // 4)
        is_known = fixed in self.server.cached if is_kept is None else is_kept
        if fixed:
            self.server.cached.add(fixed)
        text, is_cut, thought = self._spoken(body, asked, fault, "format" in body.get("output_config", {}))
        stop = {"refusal": "refusal", "too long": "max_tokens"}.get(fault, "max_tokens" if is_cut else "end_turn")
        return {
            "id": f"msg_{scripts.number(asked, 'id')}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [{"type": "text", "text": text}] if text else [],
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {
                "input_tokens": size,
                "cache_creation_input_tokens": 0 if is_known else read,
                "cache_read_input_tokens": read if is_known else 0,
                "output_tokens": thought + len(text) // 4 + 1,
                "output_tokens_details": {"thinking_tokens": thought},
            },
        }

    def _chat(self, body: dict, asked: str, fault: str = "") -> dict:
        text, is_cut, thought = self._spoken(body, asked, fault, "response_format" in body)
        finish = {"too long": "length", "refusal": "stop"}.get(fault, "length" if is_cut else "stop")
        choice: dict = {
            "index": 0,
            "finish_reason": finish,
            "message": {
                "role": "assistant",
                "content": None if fault == "refusal" else text,
                "refusal": "I cannot help with that." if fault == "refusal" else None,
            },
            "logprobs": None,
        }
        if body.get("logprobs") and text:
            first = text if text.isdigit() else text[:2]
            likely = [(first, 0.7)] + [(str(other), 0.1) for other in range(4) if str(other) != first]
            top = [{"token": token, "logprob": math.log(share), "bytes": None} for token, share in likely]
            choice["logprobs"] = {"content": [{**top[0], "top_logprobs": top}], "refusal": None}
        read = len(json.dumps(body["messages"])) // 4
        return {
            "id": f"chatcmpl-{scripts.number(asked, 'id')}",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [choice],
            "usage": {
                "prompt_tokens": read,
                "completion_tokens": thought + len(text) // 4 + 1,
                "total_tokens": read + thought + len(text) // 4 + 1,
                "completion_tokens_details": {"reasoning_tokens": thought},
            },
        }

    def _submit(self, body: dict) -> None:
        batch_id = f"msgbatch_{len(self.server.batches) + 1}"
        self.server.batches[batch_id] = {
            "id": batch_id,
            "requests": body["requests"],
            "looks": 0,
            "is_cancelled": False,
            "created_at": datetime.now(UTC).isoformat(),
        }
        if self.server.script.lost_hand_ins:
            self.server.script.lost_hand_ins -= 1
            return self._tear()
        return self._json(200, self._batch(batch_id))

    def _list_batches(self) -> None:
        listed = [
            self._batch(batch_id, is_look=True)
            for batch_id in reversed(self.server.batches)
            if self.server.batches_are_listed
        ]
        self._json(200, {"data": listed, "has_more": False, "first_id": None, "last_id": None})

    def _batch(self, batch_id: str, is_look: bool = False) -> dict:
        batch = self.server.batches[batch_id]
        batch["looks"] += is_look
        is_over = batch["is_cancelled"] or batch["looks"] >= self.server.script.looks
        count = len(batch["requests"])
        return {
            "id": batch_id,
            "type": "message_batch",
            "processing_status": "ended" if is_over else "in_progress",
            "request_counts": {
                "processing": 0 if is_over else count,
                "succeeded": count if is_over else 0,
                "errored": 0,
                "canceled": 0,
                "expired": 0,
            },
            "created_at": batch["created_at"],
            "expires_at": "2026-01-02T00:00:00Z",
            "ended_at": "2026-01-01T00:01:00Z" if is_over else None,
            "archived_at": None,
            "cancel_initiated_at": None,
            "results_url": f"{self.server.address}/v1/messages/batches/{batch_id}/results" if is_over else None,
        }

    def _results(self, batch_id: str) -> None:
        batch, script, lines = self.server.batches[batch_id], self.server.script, []
        if not batch.get("lines"):
            for entry in batch["requests"]:
                lines += self._result(entry, batch, script)
            batch["lines"] = lines
        written = [json.dumps(line) for line in batch["lines"]]
        if script.broken_lines:
            written = [*script.broken_lines, written[0][: len(written[0]) // 2], *written[1:]]
            script.broken_lines = ()
        content = "".join(line + "\n" for line in written).encode()
        if script.broken_fetches:
            script.broken_fetches -= 1
            self.close_connection = True
            return self._send(200, content[: len(content) // 2], "application/x-jsonl", {"content-length": "999999"})
        return self._send(200, content, "application/x-jsonl")

    def _result(self, entry: dict, batch: dict, script: Script) -> list[dict]:
        name, asked = entry["custom_id"], json.dumps(entry["params"], sort_keys=True)
        fault = script.batch_fault_of(asked)
        if batch["is_cancelled"] and scripts.chance(asked, "too late") < 0.5:  # the others had been answered before
            return [{"custom_id": name, "result": {"type": "canceled"}}]
        if fault == "missing":
            return []
        if fault == "expired":
            return [{"custom_id": name, "result": {"type": "expired"}}]
        if refusal := models.find_refusal(entry["params"], is_chat=False):
            error = {
                "type": "error",
                "error": {"type": "invalid_request_error", "message": refusal[1]},
                "request_id": None,
            }
            return [{"custom_id": name, "result": {"type": "errored", "error": error}}]
        if fault in ("errored", "rejected"):
            kind = "api_error" if fault == "errored" else "invalid_request_error"
            error = {"type": "error", "error": {"type": kind, "message": f"not with {KEY}"}, "request_id": None}
            return [{"custom_id": name, "result": {"type": "errored", "error": error}}]
        message = self._message(entry["params"], asked, script.fault_of(asked))
        usage = message["usage"]
        script.pay(
            usage["input_tokens"],
            usage["output_tokens"],
            usage["cache_read_input_tokens"],
            usage["cache_creation_input_tokens"],
        )
        line = {"custom_id": name, "result": {"type": "succeeded", "message": message}}
        return [line, line] if fault == "twice" else [line]

    def _error(self, status: int, kind: str, message: str, headers: dict[str, str] | None = None) -> None:
        told = {"type": "error", "error": {"type": kind, "message": message}}
        self._send(status, json.dumps(told).encode(), headers=headers or {})

    def _json(self, status: int, told: dict) -> None:
        self._send(status, json.dumps(told).encode())

    def _send(
        self, status: int, content: bytes, kind: str = "application/json", headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("request-id", f"req_{scripts.number(self.path, str(time.monotonic()))}")
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def serving(script: Script) -> Iterator[Server]:
    """The server in a thread of this process."""
    server = Server(script)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


if __name__ == "__main__":
    standing = Server(Script.parse(sys.argv[1] if len(sys.argv) > 1 else "{}"))
    print(standing.address, flush=True)
    standing.serve_forever()
