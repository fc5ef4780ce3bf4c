"""OpenAI's Batch API, as documented: a file of requests, a batch of it, a file of answers and one of faults."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.model_service import models
from tests.model_service import script as scripts
from tests.model_service.script import KEY, Script

MOST_REQUESTS = 50_000


@dataclass
class Batches:
    """`files` by id, as bytes; `made` by id."""

    files: dict[str, bytes] = field(default_factory=dict)
    made: dict[str, dict] = field(default_factory=dict)

    def keep(self, content: bytes) -> str:
        file_id = f"file-{len(self.files) + 1}"
        self.files[file_id] = content
        return file_id

    def upload(self, kind: str, content: bytes) -> dict:
        """Of a form with several parts; the file is the one that has a file name."""
        boundary = re.search(r"boundary=(.+)", kind)[1].encode()
        parts = [part for part in content.split(b"--" + boundary) if b"filename=" in part.split(b"\r\n\r\n")[0]]
        body = parts[0].split(b"\r\n\r\n", 1)[1].removesuffix(b"\r\n")
        file_id = self.keep(body)
        return {
            **{"id": file_id, "object": "file", "bytes": len(body), "created_at": 1, "filename": "requests.jsonl"},
            **{"purpose": "batch", "status": "processed"},
        }

    def create(self, asked: dict, script: Script) -> dict:
        requests = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
        waiting = sum(one["status"] == "in_progress" for one in self.made.values())
        batch = {
            **{"id": f"batch_{len(self.made) + 1}", "object": "batch", "created_at": 1, "requests": requests},
            **{"endpoint": asked["endpoint"], "completion_window": asked["completion_window"], "looks": 0},
            **{"input_file_id": asked["input_file_id"], "metadata": asked.get("metadata"), "status": "in_progress"},
        }
        names = [one["custom_id"] for one in requests]
        if any(one["url"] != asked["endpoint"] or one["method"] != "POST" for one in requests):
            self._fail(batch, "url_mismatch", "The URL of a request is not the endpoint of its batch.")
        elif len(set(names)) < len(names) or len(names) > MOST_REQUESTS:
            self._fail(batch, "duplicate_custom_id", "The custom_id of each request has to be its own.")
        elif len(requests) > script.most_enqueued or (waiting and len(requests) * (waiting + 1) > script.most_enqueued):
            self._fail(
                batch,
                "token_limit_exceeded",
                "Enqueued token limit reached for gpt-4o in organization org-1. Limit: 90,000 enqueued tokens. Please "
                "try again once some in_progress batches have been completed.",
            )
        elif script.batch_refusal:
            self._fail(batch, "model_not_found", script.batch_refusal)
        self.made[batch["id"]] = batch
        return shown(batch)

    @staticmethod
    def _fail(batch: dict, code: str, message: str) -> None:
        fault = {"code": code, "message": message, "line": None, "param": None}
        batch |= {"status": "failed", "errors": {"object": "list", "data": [fault]}}

    def look(self, batch_id: str, service: object, script: Script) -> dict:
        batch = self.made[batch_id]
        batch["looks"] += 1
        if batch["status"] == "in_progress" and batch["looks"] >= script.looks:
            self._end(batch, service, script, "completed")
        return shown(batch)

    def cancel(self, batch_id: str, service: object, script: Script) -> dict:
        batch = self.made[batch_id]
        if batch["status"] == "in_progress":
            self._end(batch, service, script, "cancelled")
        return shown(batch)

    def _end(self, batch: dict, service: object, script: Script, status: str) -> None:
        answers, faults = [], []
        for entry in batch["requests"]:
            for line in results(entry, service, script, is_cancelled=status == "cancelled"):
                is_answer = line["response"] and line["response"]["status_code"] == 200
                (answers if is_answer else faults).append(line)
        expired = any(line["error"] and line["error"]["code"] == "batch_expired" for line in faults)
        batch["status"] = "expired" if expired else status
        batch["counts"] = {"completed": len(answers), "failed": len(faults)}
        for name, lines in (("output_file_id", answers), ("error_file_id", faults)):
            if lines:
                batch[name] = self.keep("".join(json.dumps(line) + "\n" for line in lines).encode())


def shown(batch: dict) -> dict:
    """As the service shows it."""
    counts = {"completed": 0, "failed": 0, **batch.get("counts", {}), "total": len(batch["requests"])}
    hidden = ("requests", "looks", "counts")
    return {name: value for name, value in batch.items() if name not in hidden} | {"request_counts": counts}


def results(entry: dict, service: object, script: Script, is_cancelled: bool) -> Iterator[dict]:
    name, body = entry["custom_id"], entry["body"]
    asked = json.dumps(body, sort_keys=True)
    line = {"id": f"batch_req_{scripts.number(asked, 'line')}", "custom_id": name, "response": None, "error": None}
    fault = script.batch_fault_of(asked)
    if is_cancelled and scripts.chance(asked, "too late") < 0.5:  # the others had been answered before
        yield {**line, "error": {"code": "batch_cancelled", "message": "The batch was cancelled."}}
    elif fault == "missing":
        return
    elif fault == "expired":
        words = "This request could not be executed before the completion window expired."
        yield {**line, "error": {"code": "batch_expired", "message": words}}
    elif refusal := models.find_refusal(body, is_chat=True):
        error = {"message": refusal[1], "type": "invalid_request_error", "param": refusal[0], "code": None}
        yield {**line, "response": {"status_code": 400, "request_id": "req_1", "body": {"error": error}}}
    elif fault in ("errored", "rejected"):
        error = {"message": f"not with {KEY}", "type": "server_error", "param": None, "code": None}
        status = 500 if fault == "errored" else 400
        yield {**line, "response": {"status_code": status, "request_id": "req_1", "body": {"error": error}}}
    else:
        completion = service._chat(body, asked, script.fault_of(asked))
        usage = completion["usage"]
        script.pay(usage["prompt_tokens"], usage["completion_tokens"])
        whole = {**line, "response": {"status_code": 200, "request_id": f"req_{name}", "body": completion}}
        yield from [whole, whole] if fault == "twice" else [whole]
